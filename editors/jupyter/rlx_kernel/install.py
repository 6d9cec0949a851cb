"""Installs the kernel spec: python -m rlx_kernel.install [--sys-prefix | --prefix DIR]"""

import argparse
import json
import pathlib
import sys
import tempfile

from jupyter_client.kernelspec import KernelSpecManager

SPEC = {"argv": [sys.executable, "-m", "rlx_kernel", "-f", "{connection_file}"], "display_name": "Relax (rlx)", "language": "relax", "interrupt_mode": "signal"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sys-prefix", action="store_true", help="into this Python environment")
    parser.add_argument("--prefix", help="into this folder")
    given = parser.parse_args()
    prefix = sys.prefix if given.sys_prefix else given.prefix
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "kernel.json").write_text(json.dumps(SPEC, indent=1))
        print(KernelSpecManager().install_kernel_spec(folder, "rlx", user=prefix is None, prefix=prefix))


if __name__ == "__main__":
    main()
