"""The hooks of .pre-commit-hooks.yaml, run by pre-commit itself."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from paths import RLX, ROOT  # noqa: E402



def run(*command, cwd, env):
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=900)


def test_hooks(tmp_path):
    pytest.importorskip("pre_commit")
    if not shutil.which("git"):
        pytest.skip("no git")
    env = dict(os.environ, PATH=f"{pathlib.Path(RLX).parent}:{os.environ['PATH']}", PRE_COMMIT_HOME=str(tmp_path / "home"), XDG_CACHE_HOME=str(tmp_path / "cache"),
               GIT_CONFIG_GLOBAL=os.devnull, GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b.example", GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@b.example")
    hooks, project = tmp_path / "hooks", tmp_path / "project"
    for folder in (hooks, project):
        folder.mkdir()
        run("git", "init", "-q", cwd=folder, env=env)
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
    run("git", "add", ".", cwd=hooks, env=env)
    assert run("git", "commit", "-qm", "hooks", cwd=hooks, env=env).returncode == 0
    script = project / "a.py"
    script.write_text('@R.function\ndef main(x: R.Tensor((2, 3), "float32")):\n    y = R.ad(x, x)\n    return y\n')
    run("git", "add", ".", cwd=project, env=env)

    def hook(name, *more):
        done = run(sys.executable, "-m", "pre_commit", "try-repo", str(hooks), name, "--all-files", *more, cwd=project, env=env)
        return done.returncode, done.stdout + done.stderr

    code, out = hook("rlx-check")
    assert code == 1 and "RLX0203" in out, out
    code, out = hook("rlx-check-fix")
    assert code == 1 and "files were modified by this hook" in out and "R.add(x, x)" in script.read_text(), out
    code, out = hook("rlx-check")
    assert code == 0, out
    code, out = hook("rlx-normalize", "--hook-stage", "manual")
    assert code == 0, out
