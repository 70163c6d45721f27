"""Runs notebooks in a kernel of Jupyter, and prints the links of the pages that each one shows.

Each calculation is beside the page: a cell of code without an output of it fails.
"""

import html
import json
import os
import re
import sys
import tempfile
from pathlib import Path

SETTINGS = tempfile.TemporaryDirectory()
os.environ["JUPYTER_PATH"] = os.environ["IPYTHONDIR"] = SETTINGS.name

import nbformat  # noqa: E402  after the environment is set
from nbclient import NotebookClient  # noqa: E402

#: The outputs go to no server, which would count their bytes.
NO_PAUSE = "import conv2d._show; conv2d._show._WINDOW = 0"
kernel = Path(SETTINGS.name, "kernels/this")
kernel.mkdir(parents=True)
options = ["--HistoryManager.enabled=False", f"--IPKernelApp.exec_lines={NO_PAUSE}"]
argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", *options]
(kernel / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "this", "language": "python"}))


def links_of(cell):
    frames = [output.data["text/html"] for output in cell.outputs if "text/html" in output.get("data", {})]
    found = [re.search(r"location\.hash \|\|= (\".*?\")</script>", html.unescape(frame)) for frame in frames]
    return [json.loads(match[1]) for match in found if match]


links = {}
client = NotebookClient(nbformat.v4.new_notebook(), kernel_name="this", timeout=120)
# One kernel for all. Each notebook begins without the names of the one before it.
with client.setup_kernel():
    for name in sys.argv[1:]:
        notebook = nbformat.read(name, as_version=4)
        nbformat.validate(notebook)
        client.nb = notebook
        notebook.cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))
        client.execute_cell(notebook.cells[0], 0)
        links[Path(name).name] = []
        for at, cell in enumerate(notebook.cells[1:], 1):
            if cell.cell_type != "code":
                continue
            client.execute_cell(cell, at)
            shown = links_of(cell)
            if not shown:
                raise SystemExit(f"{name}: the cell {cell.id} shows no page")
            links[Path(name).name] += shown
print(json.dumps(links))
