"""Sets of at most 63 members as non-negative int64 words: count, find, pick, spread; and bytes of a word.

The compiled forms are single machine instructions that numba has no name for; the Python forms serve
`NUMBA_DISABLE_JIT=1`.
"""

from typing import Any

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ._jit import inline, jit

_HAS_PDEP = (
    not numba.config.DISABLE_JIT
    and not numba.config.CPU_NAME
    and llvmlite.binding.get_host_cpu_features().get("bmi2", False)
)

if numba.config.DISABLE_JIT:

    def count(word: int) -> int:
        """Return how many members the set has."""
        return int(word).bit_count()

    def lowest(word: int) -> int:
        """Return the least member of a set that is not empty."""
        return (int(word) & -int(word)).bit_length() - 1

    def reverse_bytes(word: np.uint64) -> np.uint64:
        """Return the eight bytes of a uint64 in the opposite order."""
        return np.uint64(word).byteswap()

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def count(typing_context: Any, word: Any) -> Any:
        """Return how many members the set has."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest(typing_context: Any, word: Any) -> Any:
        """Return the least member of a set that is not empty."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def reverse_bytes(typing_context: Any, word: Any) -> Any:
        """Return the eight bytes of a uint64 in the opposite order."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bswap(args[0])

        return types.uint64(types.uint64), generate


if _HAS_PDEP:

    @intrinsic  # type: ignore[untyped-decorator]
    def _deposit(typing_context: Any, source: Any, mask: Any) -> Any:
        """Spread the low bits of `source` over the set bits of `mask` (the x86 instruction pdep)."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, (word, word)))
            return builder.call(pdep, args)

        return types.int64(types.int64, types.int64), generate

    @inline
    def member(word: int, n: int) -> int:
        """Return the n-th least member (n = 0 is the least) of a set with more than n members."""
        return lowest(_deposit(1 << n, word))

else:

    @inline
    def member(word: int, n: int) -> int:
        """Return the n-th least member (n = 0 is the least) of a set with more than n members."""
        for _ in range(n):
            word &= word - 1
        return lowest(word)


def members(word: int) -> list[int]:
    """Return the members of a set (plain Python)."""
    return [n for n in range(int(word).bit_length()) if int(word) >> n & 1]


@jit
def fill_mask(low: int, high: int, first_high: int, out: np.ndarray) -> int:
    """Overwrite a mask, int8, with the members of two sets; return how many there are.

    Bit i of the first set stands for entry i, bit i of the second for entry `first_high` + i.
    """
    for i in range(first_high):
        out[i] = low >> i & 1
    for i in range(first_high, len(out)):
        out[i] = high >> i - first_high & 1
    return count(low) + count(high)
