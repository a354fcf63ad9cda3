"""The command line `longcards`. What a command needs is imported when it runs, so that help comes at once."""

import json
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Annotated, NoReturn

import typer

# Errors and help as plain text: a line stays one line, however wide the terminal.
app = typer.Typer(
    name="longcards",
    help="Simulate, replay and measure two Chinese three-player card games.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="nantong or paohuzi; `longcards games` lists them.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def _version(wanted: bool) -> None:
    if wanted:
        from longcards_env import __version__

        print(f"longcards {__version__}")
        raise typer.Exit


@app.callback()
def _all(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it and exit.")
    ] = False,
) -> None:
    pass


@app.command(epilog="Example: longcards games")
def games(as_json: Json = False) -> None:
    """List the games."""
    from longcards_env import GAMES

    _print_listed("games", "game", {name: game.TITLE for name, game in GAMES.items()}, as_json)


@app.command(epilog="Example: longcards agents")
def agents(as_json: Json = False) -> None:
    """List the agents."""
    from agents.registry import known_agents

    _print_listed("agents", "agent", known_agents(), as_json)


@app.command(epilog="Example: longcards simulate nantong --agents greedy,random,random --deals 100000 --out runs/first")
def simulate(
    game: GameName,
    agents: Annotated[str, typer.Option(metavar="A,B,C", help="Agents of the seats; one name: all three.")] = "random",
    deals: Annotated[int, typer.Option(metavar="N", min=1, help="How many deals to play.")] = 10_000,
    seed: Annotated[int, typer.Option(metavar="S", min=0, max=2**64 - 1, help="Seed of all that is random.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder to write; else only a summary.")] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="W", min=1, help="Processes; else one a core, if it pays.")
    ] = None,
    records: Annotated[bool, typer.Option("--records", help="Write the deals' records.")] = False,
    legal: Annotated[bool, typer.Option("--legal", help="Add the legal actions to the records.")] = False,
    decisions: Annotated[bool, typer.Option("--decisions", help="Write the table of decisions.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder, or begin it.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the run in the folder.")] = False,
    dealer: Annotated[str, typer.Option(metavar="rotate|0|1|2", help="Who deals.")] = "rotate",
    as_json: Json = False,
) -> None:
    """Play deals with compiled agents; write tables, and records of the deals; sum them up.

    The same seed gives the same deals and results for any number of workers, and across a resume.
    """
    _refuse_if(out is None and (records or decisions or resume or overwrite), "--out", "is needed with these options")
    _refuse_if(legal and not records, "--legal", "goes with --records")
    _refuse_if(resume and overwrite, "--resume", "does not go with --overwrite")
    seats = _agents(_known_game(game), agents)
    from experiments import report
    from experiments.runs import DEALERS, MOST_DEALS, Config
    from experiments.simulate import simulate

    _refuse_if(dealer not in DEALERS, "--dealer", f"{dealer!r} is not one of {', '.join(DEALERS)}")
    _refuse_if(deals > MOST_DEALS, "--deals", f"{deals} is more than {MOST_DEALS}")
    config = Config(game, seats, deals, seed, dealer, records, legal, decisions)
    done = simulate(config, out, workers=workers, resume=resume, overwrite=overwrite, note=_note)
    if as_json:
        print(json.dumps(report.simulation_json(done)))
    else:
        report.print_simulation(done)


@app.command(epilog="Example: longcards replay runs/first/records-00000.jsonl.gz")
def replay(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Records: .jsonl, .jsonl.gz, - is stdin.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="New file for the completed records.")] = None,
    legal: Annotated[bool, typer.Option("--legal", help="Add the legal actions to them.")] = False,
    as_json: Json = False,
) -> None:
    """Replay the deals of record files and check every decision, legal list and result that they hold."""
    _refuse_if(str(out) == "-", "--out", "is a file; records are not written to stdout")
    from tqdm import tqdm

    from experiments.replay import replay_files

    with tqdm(unit=" records", disable=None) as progress:
        done = replay_files(
            files, out, legal, report=lambda error: tqdm.write(str(error), sys.stderr), tick=progress.update
        )
    print(json.dumps(done.json()) if as_json else f"{done.records} records, {done.wrong} wrong")
    if done.wrong:
        raise typer.Exit(1)


@app.command(epilog="Example: longcards show runs/first/records-00000.jsonl.gz --deal 3")
def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Records: .jsonl, .jsonl.gz, - is stdin.")],
    deal: Annotated[int, typer.Option(metavar="K", min=1, help="Which deal of the file, from 1.")] = 1,
    step: Annotated[int | None, typer.Option(metavar="J", min=0, help="Only the position after J decisions.")] = None,
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="New file for a picture in place of text.")] = None,
    as_json: Json = False,
) -> None:
    """Show a deal as text or picture, step by step."""
    from experiments.show import picture, show_record

    if svg is not None:
        picture(file, deal, step).save(svg)
        print(json.dumps({"file": file, "deal": deal, "step": step, "svg": str(svg)}) if as_json else svg)
        return
    text = show_record(file, deal, step)
    print(json.dumps({"file": file, "deal": deal, "step": step, "text": text}) if as_json else text)


@app.command(epilog="Example: longcards bench nantong")
def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only this game.")] = None,
    floor: Annotated[Path | None, typer.Option(metavar="PATH", help="C program to compare with.")] = None,
    with_simulate: Annotated[bool, typer.Option("--simulate", help="Time a million deals too.")] = False,
    as_json: Json = False,
) -> None:
    """Measure the speed of the engine and of each agent on one core, compile time apart."""
    if game is not None:
        _known_game(game)
    from experiments import bench as measure
    from experiments import report

    result = measure.bench(game, floor=floor, with_simulate=with_simulate, note=_note)
    if as_json:
        print(json.dumps(result))
    else:
        report.print_bench(result)


def _agents(game: str, specs: str) -> tuple[str, str, str]:
    """Return the agents of the three seats; a usage error for a wrong number of them or an unknown one."""
    from agents import registry

    named = specs.split(",")
    _refuse_if(len(named) not in (1, 3), "--agents", f"{specs!r} names {len(named)} agents; name one or three")
    for spec in named:
        try:
            registry.agent(game, spec)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--agents") from error
    first, second, third = named if len(named) == 3 else named * 3
    return first, second, third


def _known_game(name: str) -> str:
    from difflib import get_close_matches

    from longcards_env import GAMES

    hint = "".join(f"did you mean {close!r}? " for close in get_close_matches(name, GAMES, n=1))
    _refuse_if(name not in GAMES, "GAME", f"unknown game {name!r}; {hint}known games: {', '.join(GAMES)}")
    return name


def _refuse_if(wrong: bool, parameter: str, message: str) -> None:
    if wrong:
        raise typer.BadParameter(message, param_hint=parameter)


def _print_listed(key: str, each: str, described: dict[str, str], as_json: bool) -> None:
    if as_json:
        rows = [{each: name, "description": description} for name, description in described.items()]
        print(json.dumps({key: rows}))
        return
    width = max(map(len, described))
    for name, description in described.items():
        print(f"{name:{width}}  {description}")


def _note(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 the input or the run failed, 2 wrong usage, 130 interrupted."""
    _stop_when_terminated()
    try:
        app(arguments, prog_name="longcards")
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if not _is_for_the_user(error):
            raise
        _note(f"longcards: {_one_line(error)}")
        sys.exit(1)
    finally:
        _flush()
    sys.exit(0)


def _stop_when_terminated() -> None:
    """Let a termination or a closed terminal end a run in the way of Ctrl-C: nothing finished is lost."""
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.default_int_handler)


def _is_for_the_user(error: Exception) -> bool:
    """Whether the error is one of the input, the run or the system; all others are ours and show their traceback."""
    from experiments.runs import RunError
    from longcards_env.record_file import RecordError

    return isinstance(error, (OSError, RunError, RecordError))


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split())


def _flush() -> None:
    r"""Write what is left for stdout; whoever closed the pipe (`| head`) wants nothing more."""
    if sys.stdout is None:  # it was closed from the start
        return
    with suppress(ValueError):  # it was closed meanwhile
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
