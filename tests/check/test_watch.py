"""rlx check: --watch, --fix on files that change, progress, caches that many runs share."""

import os
import pathlib
import pty
import select
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX  # noqa: E402

GOOD = '@R.function\ndef main(x: R.Tensor((2, 3), "float32")):\n    return x\n'
BAD = GOOD.replace("return x", "return R.ad(x, x)")


def wait_for(process, text):
    """Reads the process's output until `text` came."""
    seen = ""
    while text not in seen:
        assert select.select([process.stdout], [], [], 900)[0], seen
        data = os.read(process.stdout.fileno(), 65536).decode()
        assert data, seen
        seen += data
    return seen


def test_watch_runs_again_on_changes(tmp_path):
    env = dict(os.environ, XDG_CACHE_HOME=str(tmp_path / "cache"))
    (tmp_path / "src" / "sub").mkdir(parents=True)
    script = tmp_path / "src" / "sub" / "a.py"
    script.write_text(GOOD)
    process = subprocess.Popen([RLX, "check", "--format", "concise", "--watch", "src"], cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        wait_for(process, "0 errors, 0 warnings in 1 file")
        script.write_text(BAD)
        assert "RLX0203" in wait_for(process, "1 error, 0 warnings in 1 file")
        beside = tmp_path / "src" / "sub" / "b.tmp"  # as editors save
        beside.write_text(GOOD)
        beside.rename(script)
        wait_for(process, "0 errors, 0 warnings in 1 file")
        new = tmp_path / "src" / "new"
        new.mkdir()
        wait_for(process, "0 errors, 0 warnings in 1 file")
        (new / "b.py").write_text(BAD)
        wait_for(process, "1 error, 0 warnings in 2 files")
        (tmp_path / "src" / "rlx.toml").write_text('ignore = ["RLX02"]\n')
        wait_for(process, "0 errors, 0 warnings in 2 files")
    finally:
        process.kill()
        process.wait()


def test_a_file_that_comes_while_the_others_are_read_is_seen(tmp_path):
    """A folder that comes, and a file in it at any moment of the run that this is the cause of."""
    env = dict(os.environ, XDG_CACHE_HOME=str(tmp_path / "cache"))
    src = tmp_path / "src"
    src.mkdir()
    for i in range(500):
        (src / f"f{i}.py").write_text(GOOD)
    process = subprocess.Popen([RLX, "check", "--format", "concise", "--no-cache", "--watch", "src"], cwd=tmp_path, env=env, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    try:
        wait_for(process, "0 errors, 0 warnings in 500 files")
        for i in range(20):
            folder = src / f"new{i}"
            folder.mkdir()
            time.sleep(0.06 + 0.002 * i)  # the moments are anywhere in the run on this machine, or on another
            (folder / "a.py").write_text(BAD)
            wait_for(process, f"{i + 1} error{'s' if i else ''}, 0 warnings in {501 + i} files")
    finally:
        process.kill()
        process.wait()


def test_runs_share_a_cache(tmp_path):
    env = dict(os.environ, XDG_CACHE_HOME=str(tmp_path / "cache"))
    src = tmp_path / "src"
    src.mkdir()
    for i in range(60):
        (src / f"f{i}.py").write_text((BAD if i % 2 else GOOD) + f"# {i}\n")
    runs = [subprocess.Popen([RLX, "check", "--format", "json", "--jobs", "3", "src"], cwd=tmp_path, env=env, stdout=subprocess.PIPE) for _ in range(4)]
    texts = {r.communicate()[0] for r in runs}
    assert len(texts) == 1 and b'"errors": 30' in texts.pop()
    left = [p for p in (tmp_path / "cache" / "rlx").glob("*/*") if "." in p.name]
    assert not left


def seconds(*command, **how):
    """CPU time of a command that finds nothing wrong."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **how)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def test_unchanged_tree_is_fast(tmp_path):
    """What is known already costs a small part of looking at it, whatever the machine."""
    env = dict(os.environ, XDG_CACHE_HOME=str(tmp_path / "cache"))
    src = tmp_path / "src"
    src.mkdir()
    body = "    v0 = x\n" + "".join(f"    v{i} = R.add(v{i - 1}, x)\n" for i in range(1, 200))
    for i in range(500):
        (src / f"f{i}.py").write_text(GOOD.replace("    return x", body + "    return v199") + f"# {i}\n")
    check = [RLX, "check", "src"]
    seconds(*check, cwd=tmp_path, env=env)
    known = min(seconds(*check, cwd=tmp_path, env=env) for _ in range(5))
    new = min(seconds(*check, "--no-cache", cwd=tmp_path, env=env) for _ in range(5))
    assert known < new / 5, (known, new)


def test_progress_on_a_terminal_only(tmp_path):
    env = dict(os.environ, XDG_CACHE_HOME=str(tmp_path / "cache"))
    src = tmp_path / "src"
    src.mkdir()
    body = "".join(f"    v{i} = R.add(x, x)\n" for i in range(20000))
    for i in range(24):
        (src / f"f{i}.py").write_text(GOOD.replace("    return x", body + f"    return v{i}"))
    master, slave = pty.openpty()
    process = subprocess.Popen([RLX, "check", "--no-cache", "--jobs", "1", "src"], cwd=tmp_path, env=env, stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    seen = b""
    try:
        while True:
            data = os.read(master, 4096)
            if not data:
                break
            seen += data
    except OSError:  # the end of a terminal
        pass
    process.wait()
    os.close(master)
    assert b"of 24 files" in seen and seen.endswith(b"\r\x1b[K")
    quiet = subprocess.run([RLX, "check", "src"], cwd=tmp_path, env=env, capture_output=True)
    assert quiet.stderr == b""


def test_fix_leaves_alone_what_changed(tmp_path):
    """A file that is not UTF-8 is analysed as UTF-8, and so not written."""
    script = tmp_path / "a.py"
    content = b"# -*- coding: latin-1 -*-\n# \xe9\n" + BAD.encode()
    script.write_bytes(content)
    done = subprocess.run([RLX, "check", "--no-cache", "--fix", "a.py"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 2 and b"not written" in done.stderr and script.read_bytes() == content
