"""The command that makes many boards: in several processes, killed, stopped and continued, and on a cluster."""

import csv
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from studio.cli import main
from studio.files.store import load, save
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.registry import kind

PATIENCE = 120
"""Seconds for what takes a few, on a machine with much else to do."""


@pytest.fixture
def design(tmp_path: Path) -> Path:
    path = tmp_path / "mine.puzzle"
    save(path, kind("jigsaw"), JigsawDesign(JigsawParameters(columns=4, rows=3, width=100, height=75)))
    return path


def words(design: Path, folder: Path, *more: str) -> list[str]:
    return ["batch", str(design), "-o", str(folder), "--formats", "svg", *more]


def started(argv: Sequence[str]) -> subprocess.Popen[str]:
    """A program of this Python in a process group of its own, as a terminal starts it."""
    return subprocess.Popen(
        [sys.executable, *argv], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def wait_for_boards(folder: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until a batch that is under way has made some boards."""
    end = time.monotonic() + PATIENCE
    while len([*folder.glob("mine-*.svg")]) < count:
        assert process.poll() is None and time.monotonic() < end, process.communicate()
        time.sleep(0.01)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.thorough
def test_a_batch_killed_half_way_goes_on_where_it_stopped(design: Path, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main(words(design, whole, "--count", "20", "--workers", "1")) == 0
    process = started(["-m", "studio", *words(design, killed, "--count", "20", "--workers", "2")])
    wait_for_boards(killed, 8, process)
    process.kill()
    process.communicate(timeout=PATIENCE)
    there = {path: path.stat().st_mtime_ns for path in killed.glob("mine-*.svg")}
    assert 8 <= len(there) < 20
    again = started(["-m", "studio", *words(design, killed, "--count", "20", "--workers", "2", "--json")])
    out, problems = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, problems
    # One board may have been about to take its place.
    assert json.loads(out)["kept"] in (len(there), len(there) + 1)
    assert {path: path.stat().st_mtime_ns for path in there} == there
    assert contents(killed) == contents(whole)


def status(process: int, name: str) -> str:
    """A line of what Linux says of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(line for line in lines if line.startswith(name)).split()[1]


def below(process: int) -> list[int]:
    """The processes that one has started, and that they have."""
    every = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    own = []
    for each in every:
        with suppress(OSError, StopIteration):
            if int(status(each, "PPid:")) == process:
                own += [each, *below(each)]
    return own


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel")
def test_workers_do_not_hear_of_ctrl_c_themselves(design: Path, tmp_path: Path) -> None:
    process = started(["-m", "studio", *words(design, tmp_path / "out", "--count", "200", "--workers", "2")])
    wait_for_boards(tmp_path / "out", 3, process)
    called = {each: Path(f"/proc/{each}/cmdline").read_bytes() for each in below(process.pid)}
    workers = [each for each, words in called.items() if b"forkserver" in words]
    assert len(workers) == 3, "two, and the server"
    assert all(int(status(each, "SigBlk:"), 16) >> (signal.SIGINT - 1) & 1 for each in workers)
    process.terminate()
    process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_batch_that_is_stopped_says_so_and_keeps_what_is_done(design: Path, tmp_path: Path, number: int) -> None:
    folder = tmp_path / "out"
    process = started(["-m", "studio", *words(design, folder, "--count", "200", "--workers", "2")])
    wait_for_boards(folder, 3, process)
    # Ctrl-C is heard by all processes of a terminal.
    os.killpg(process.pid, number) if number == signal.SIGINT else process.terminate()
    out, problems = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, problems) == (128 + number, "", "Stopped.\n")
    lines = (folder / "mine-boards.csv").read_text(encoding="utf-8").splitlines()
    assert 3 <= len(lines) - 1 == len([*folder.glob("mine-*.svg")]) < 200
    assert not [*folder.glob(".mine*")], "nothing unfinished stays"


def test_the_number_of_workers_makes_no_difference(
    design: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--count", "5", "--set", "perturbation=0.05..0.45", "--repair"]
    for workers in (1, 3):
        assert main(words(design, tmp_path / str(workers), *more, "--workers", str(workers))) == 0
        said = capsys.readouterr().out
        assert said.startswith("Wrote ") and "mine-boards.csv: 5 boards, 60 pieces, cut length" in said
    assert contents(tmp_path / "1") == contents(tmp_path / "3")
    assert load(tmp_path / "3" / "mine-005.puzzle").design.parameters.perturbation == 0.45


def test_workers_find_modules_where_the_command_does(design: Path, tmp_path: Path) -> None:
    """Not in the folder that an installed program is started in."""
    (tmp_path / "numpy.py").write_text("raise SystemExit('not this one')")
    program = tmp_path / "bin" / "puzzle-studio"
    program.parent.mkdir()
    program.write_text(
        "import sys\nfrom studio.cli import main\nif __name__ == '__main__':\n    sys.exit(main(sys.argv[1:]))\n"
    )
    command = [sys.executable, str(program), *words(design, tmp_path / "out", "--count", "2", "--workers", "2")]
    places = os.pathsep.join(place or str(Path.cwd()) for place in sys.path)
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": places}, capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert len([*(tmp_path / "out").glob("mine-*.svg")]) == 2


def test_names_from_a_table_are_engraved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cube, names = tmp_path / "cube.puzzle", tmp_path / "names.csv"
    assert main(["new", "cube", "-o", str(cube)]) == 0
    names.write_text("name,seed\nAda,12\nMary,8\n", encoding="utf-8")
    command = ["batch", str(cube), "--names", str(names), "--set", "inside=text", "--set", "text=For {name} {serial}"]
    capsys.readouterr()
    assert main([*command, "-o", str(tmp_path / "out"), "--formats", "puzzle", "--workers", "1", "--json"]) == 0
    boards = json.loads(capsys.readouterr().out)["boards"]
    assert [(one["name"], one["seed"]) for one in boards] == [("Ada", "12"), ("Mary", "8")]
    found = [load(tmp_path / "out" / f"cube-00{number}.puzzle").design.parameters for number in (1, 2)]
    assert [one.text for one in found] == ["For Ada 001", "For Mary 002"]
    assert [one.seed for one in found] == [12, 8]


def test_names_that_look_like_formulas_are_texts_in_the_table(
    design: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names, out = tmp_path / "names.csv", tmp_path / "out"
    assert main(["engrave", str(design), "--text", "{name} {age}", "--height", "3"]) == 0
    names.write_text("name,age\n=cmd|' /C calc'!A0,-3\n+Ann,0.5\n@SUM(1),7\n", encoding="utf-8")
    assert main(["batch", str(design), "--names", str(names), "-o", str(out), "--formats", "puzzle"]) == 0
    capsys.readouterr()
    (table,) = out.glob("*-boards.csv")
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == ["'=cmd|' /C calc'!A0", "'+Ann", "'@SUM(1)"]
    assert [row["age"] for row in rows] == ["-3", "0.5", "7"]


def test_each_jigsaw_is_engraved_with_the_name_of_its_line_and_its_number(design: Path, tmp_path: Path) -> None:
    names, out = tmp_path / "names.csv", tmp_path / "out"
    names.write_text("name,seed\nAda,12\nMary,8\n", encoding="utf-8")
    assert main(["engrave", str(design), "--text", "For {name}", "--height", "6"]) == 0
    assert main(["engrave", str(design), "--text", "No. {serial}", "--side", "back"]) == 0
    assert main(words(design, out, "--names", str(names), "--repair", "--workers", "1")) == 0
    for serial, name, seed in (("001", "Ada", 12), ("002", "Mary", 8)):
        made = load(out / f"mine-{serial}.puzzle").design
        assert [one.text for one in made.engravings] == [f"For {name}", f"No. {serial}"]
        assert made.parameters.seed == seed
        # The files are those of the board that was filled in.
        board = tmp_path / f"board-{serial}.svg"
        assert main(["export", str(out / f"mine-{serial}.puzzle"), "-o", str(board)]) == 0
        for end in ("", "-back"):
            assert (out / f"mine-{serial}{end}.svg").read_bytes() == board.with_stem(board.stem + end).read_bytes()


def test_the_picture_of_each_board_is_printed_and_engraved_as_export_does_it(design: Path, tmp_path: Path) -> None:
    photo, out = tmp_path / "photo.png", tmp_path / "out"
    shades = np.linspace(0, 255, 60 * 45 * 3).reshape(45, 60, 3).astype(np.uint8)
    Image.fromarray(shades).save(photo)
    assert main(["photo", str(design), str(photo)]) == 0
    asked = ["marks=crosses", "bleed=2", "print_pdf=yes", "raster_png=yes"]
    options = [word for one in asked for word in ("--set", one)]
    assert main(words(design, out, "--count", "2", "--formats", "svg,dxf", "--workers", "1", *options)) == 0
    for serial in ("001", "002"):
        again = tmp_path / "again" / f"mine-{serial}.svg"
        again.parent.mkdir(exist_ok=True)
        assert main(["export", str(out / f"mine-{serial}.puzzle"), "-o", str(again), *options]) == 0
        for end in (".svg", "-print.pdf", "-raster.png"):
            name = f"mine-{serial}{end}"
            assert (out / name).read_bytes() == (again.parent / name).read_bytes(), name
    table = (out / "mine-boards.csv").read_text(encoding="utf-8")
    assert "mine-002-print.pdf" in table and "mine-002-raster.png" in table


@pytest.mark.parametrize(
    ("text", "cells", "why"),
    [
        ("For {nmae}", "name,nmae\nAda,\n", "line 1: column 'name' is neither a parameter nor used in a text."),
        (
            "For {nmae}",
            "seed\n3\n",
            "line 2: “For {nmae}” has an unknown placeholder {nmae}; choose from serial, seed.",
        ),
        ("{name}", "name,seed\nAda,3\n,4\n", "line 3: “{name}” has nothing left to engrave."),
        ("{name}", f"name\n{201 * 'A'}\n", "line 2: The text has 201 letters (maximum 200)."),
        ("{name}", 'name\n"Ada\nMary"\n', "line 2: The text must be one line of printable letters."),
    ],
    ids=["column", "field", "empty", "long", "lines"],
)
def test_a_line_that_no_text_can_be_made_of_is_named(
    design: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, cells: str, why: str
) -> None:
    names = tmp_path / "names.csv"
    names.write_text(cells, encoding="utf-8")
    assert main(["engrave", str(design), "--text", text, "--height", "6"]) == 0
    capsys.readouterr()
    assert main(words(design, tmp_path / "out", "--names", str(names))) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ([], "--count N or --names FILE"),
        (["--count", "0"], "--count must be"),
        (["--count", "100001"], "--count must be at most 100000"),
        (["--count", "2", "--names", "one.csv"], "--count 2 is more than the 1 line"),
        (["--names", "bad.csv"], "bad.csv: line 3: columns must be"),
        (["--names", "none.csv"], "none.csv: there is no such file"),
        (["--count", "2", "--set", "colums=3"], "'colums'; did you mean columns? `params jigsaw`"),
        (["--count", "2", "--set", "columns"], "columns needs a value"),
        (["--count", "2", "--set", "columns=3..x"], "columns must be"),
        (["--count", "2", "--set", "columns=3", "--set", "columns=4"], "given twice"),
        (["--count", "2", "--set", "page=round"], "page must be"),
        (["--count", "2", "--formats", "svg,gif"], "'gif'"),
        (["--count", "2", "--set", "piece_pngs=yes"], "PNGs of pieces are only written by `export`."),
        (["--count", "2", "--clearance", "0.1"], "--clearance needs --unique"),
        (["--count", "2", "--unique", "--clearance", "x"], "--clearance must be"),
        (["--count", "2", "--workers", "none"], "--workers must be"),
        (["--count", "2", "--workers", "2", "--cluster", "tcp://127.0.0.1:8786"], "cannot be combined"),
        (["--count", "2", "--material", "cheese"], "cheese"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_written(
    design: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.csv").write_text("columns\n5\n", encoding="utf-8")
    Path("bad.csv").write_text("columns\n5\nmany\n", encoding="utf-8")
    assert main(words(design, tmp_path / "out", *more)) == 2
    said = capsys.readouterr()
    assert why in said.err and said.err.count("\n") == 1 and said.out == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="needs the limits of POSIX")
def test_a_full_disk_leaves_nothing_of_a_batch_that_wrote_nothing(
    design: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, hard))
    try:
        assert main(words(design, tmp_path / "out", "--count", "2", "--workers", "1")) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert capsys.readouterr().err == "Could not write mine-001.svg: the file is too large for this disk.\n"
    assert [*tmp_path.iterdir()] == [design]


def test_a_folder_that_cannot_be_made_is_refused(design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words(design, design, "--count", "2")) == 2
    assert "Could not create the folder" in capsys.readouterr().err


# On a cluster

needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="the optional package is not installed")


IDENTITY = Path(__file__).parent / "batch" / "cluster.pem"
"""A certificate that is its own authority, and its key."""
TLS = ["--tls-ca", str(IDENTITY), "--tls-cert", str(IDENTITY), "--tls-key", str(IDENTITY)]


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def cluster(workers: int, scheme: str = "tcp") -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """The address of a scheduler on this machine, and its workers, each a process of one thread."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"{scheme}://127.0.0.1:{port}"
    common = ["--host", "127.0.0.1", "--no-dashboard"]
    if scheme == "tls":
        common += ["--tls-ca-file", str(IDENTITY), "--tls-cert", str(IDENTITY), "--tls-key", str(IDENTITY)]
    scheduler = ["-m", "distributed.cli.dask_scheduler", "--protocol", scheme, "--port", str(port), "--no-show"]
    worker = ["-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny"]
    processes = [started([*scheduler, *common])]
    try:
        processes += [started([*worker, *common]) for _ in range(workers)]
        end = time.monotonic() + PATIENCE
        while not answers(port):
            assert processes[0].poll() is None and time.monotonic() < end
            time.sleep(0.05)
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.communicate(timeout=PATIENCE)


@pytest.mark.thorough
@needs_dask
def test_a_cluster_makes_the_same_boards_and_a_worker_that_dies_loses_none(design: Path, tmp_path: Path) -> None:
    local, far = tmp_path / "local", tmp_path / "far"
    assert main(words(design, local, "--count", "20", "--workers", "1")) == 0
    with cluster(2) as (address, workers):
        process = started(["-m", "studio", *words(design, far, "--count", "20", "--cluster", address)])
        wait_for_boards(far, 4, process)
        workers[0].kill()
        _, problems = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, problems
    assert contents(far) == contents(local)


@needs_dask
def test_a_cluster_that_asks_for_certificates_takes_those_who_have_one(
    design: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with cluster(1, "tls") as (address, _):
        assert main(words(design, out, "--count", "2", "--cluster", address)) == 2
        assert "needs --tls-ca, --tls-cert and --tls-key" in capsys.readouterr().err
        assert main(words(design, out, "--count", "2", "--cluster", address.replace("tls", "tcp"))) == 2
        assert "its address may begin with tls://" in capsys.readouterr().err
        assert not [*out.glob("*.svg")]
        assert main(words(design, out, "--count", "2", "--cluster", address, *TLS)) == 0
    assert sorted(path.name for path in out.glob("*.svg")) == ["mine-001.svg", "mine-002.svg"]


@needs_dask
def test_a_plain_scheduler_is_told_from_one_with_tls_and_from_its_workers(
    design: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with cluster(0) as (address, _):
        address = address.replace("tcp", "tls")
        assert main(words(design, tmp_path / "out", "--count", "2", "--cluster", address, *TLS)) == 2
    assert capsys.readouterr().err == (
        f"No scheduler answers at {address}. Start one with `dask scheduler`; if one is running, its address may begin "
        "with tcp://.\n"
    )


@needs_dask
@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH_9.2p1\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_a_port_of_another_program_is_refused_in_time(
    design: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    scheme: str,
    greeting: bytes,
) -> None:
    monkeypatch.setattr("studio.batch.workers.ANSWER_SECONDS", 1.0)

    def serve() -> None:
        with suppress(OSError):
            while True:
                held.append(server.accept()[0])
                held[-1].sendall(greeting)

    held: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        address = f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
        more = TLS if scheme == "tls" else []
        assert main(words(design, tmp_path / "out", "--count", "2", "--cluster", address, *more)) == 2
        server.shutdown(socket.SHUT_RDWR)
    for each in held:
        each.close()
    assert f"No scheduler answers at {address}." in capsys.readouterr().err


@needs_dask
@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--cluster", "tls://127.0.0.1:1", "--tls-ca", "no.pem"], "There is no file no.pem."),
        (["--cluster", "tcp://127.0.0.1:1", *TLS], "go with an address that begins with tls://"),
        (["--cluster", "tcp://127.0.0.1:65536"], "takes an address such as"),
        (TLS, "need --cluster"),
    ],
)
def test_files_and_addresses_that_do_not_go_together_are_refused(
    design: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], sentence: str
) -> None:
    assert main(words(design, tmp_path / "out", "--count", "2", *more)) == 2
    assert sentence in capsys.readouterr().err


@needs_dask
@pytest.mark.parametrize("address", ["nowhere", "tcp://127.0.0.1", "ftp://127.0.0.1:1"])
def test_an_address_that_is_none_is_refused(
    design: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    assert main(words(design, tmp_path / "out", "--count", "2", "--cluster", address)) == 2
    assert f"not '{address}'" in capsys.readouterr().err


def test_without_the_package_a_sentence_says_how_to_get_it(
    design: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(words(design, tmp_path / "out", "--count", "2", "--cluster", "tcp://127.0.0.1:8786")) == 2
    assert "pip install distributed" in capsys.readouterr().err
