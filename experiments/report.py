"""What the commands print: rich tables for people; what scripts read, with the keys they rely on."""

from typing import Any

from rich.console import Console
from rich.table import Table

from experiments.simulate import Simulation


def simulation_json(done: Simulation) -> dict[str, Any]:
    """Return a run's summary as `simulate --json` prints it."""
    config, summary = done.config, done.summary
    seats = [
        {
            "seat": seat,
            "agent": config.agents[seat],
            "points_per_deal": each.points_per_deal,
            "ci95": list(each.ci95 or (None, None)),
            "win_rate": each.win_rate,
            "self_draw_rate": each.self_draw_rate,
            "deal_in_rate": each.deal_in_rate,
        }
        for seat, each in enumerate(summary.seats)
    ]
    return {
        "game": config.game,
        "deals": summary.deals,
        "seed": config.seed,
        "seconds": done.seconds,
        "deals_per_second": done.deals_per_second,
        "out": None if done.out is None else str(done.out),
        "agents": seats,
        "draw_rate": summary.draw_rate,
    }


def print_simulation(done: Simulation) -> None:
    """Print a run's summary."""
    table = Table("seat", box=None, padding=(0, 2, 0, 0))
    table.add_column("agent", overflow="fold")
    for heading in ("points/deal", "95 %", "wins", "self-drawn", "deal-ins"):
        table.add_column(heading, justify="right", no_wrap=True)
    for seat, each in enumerate(done.summary.seats):
        interval = "" if each.ci95 is None else f"{each.ci95[0]:+.2f} .. {each.ci95[1]:+.2f}"
        rates = [f"{rate:.2%}" for rate in (each.win_rate, each.self_draw_rate, each.deal_in_rate)]
        table.add_row(str(seat), done.config.agents[seat], f"{each.points_per_deal:+.2f}", interval, *rates)
    Console().print(table)
    print(f"{done.summary.deals:,} deals, {done.summary.draw_rate:.2%} drawn")
    print(f"{done.seconds:.2f} s, {done.deals_per_second:,.0f} deals a second")
    if done.out is not None:
        print(f"written to {done.out}")


def print_bench(result: dict[str, Any]) -> None:
    """Print what `bench` measured."""
    about = result["machine"]
    print(f"{about['cpu']}, {about['cores']} cores, Python {about['python']}, numba {about['numba']}; one core each")
    print(f"compile {result['compile_seconds']:.1f} s, once; then to a first deal {result['warm_start_seconds']:.2f} s")
    for game, measured in result["games"].items():
        table = Table(game, box=None, padding=(0, 2, 0, 0))
        for heading in ("deals/s", "decisions/s"):
            table.add_column(heading, justify="right")
        for agent, rates in measured["engine"].items():
            table.add_row(agent, f"{rates['deals_per_second']:,.0f}", f"{rates['decisions_per_second']:,.0f}")
        Console().print(table)
        for name, rate in measured["analysis"].items():
            print(f"{name.removesuffix('_per_second').replace('_', ' ')}: {rate:,.0f} a second")
        envs = measured["vector_env"]
        print(f"vector environment of {envs['num_envs']:,}: {envs['decisions_per_second']:,.0f} decisions a second")
        for agent, rate in measured["gymnasium"]["by_opponents"].items():
            print(f"Gymnasium, two {agent} opponents: {rate:,.0f} steps a second")
    if floor := result.get("floor"):
        print(f"floor: {floor['deals_per_second']:,.0f} deals/s; random play makes {floor['ratio']:.3f} of that")
    for game, timed in result.get("simulate", {}).items():
        seconds = ", ".join(f"{workers}: {each:.1f} s" for workers, each in timed["seconds_by_workers"].items())
        print(f"simulate {game}, {timed['deals']:,} deals, by workers: {seconds}")
