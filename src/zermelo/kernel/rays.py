"""Enclosing runs of discs on a board of 8x8 bits, in all eight directions.

Bit 8 * row + column is a square. The four steps of 1, 7, 8 and 9 bits are the lanes of a vector:
compiled code follows the runs of all four at once, one way and then the other. The plain twins go
through the steps one after the other.
"""

from typing import Any

from zermelo.kernel.bits import ZERO, native, word

# No run that is enclosed sideways or diagonally touches column a or h; without these, shifts do not
# run into the next row.
MIDDLE, ALL = 0x7E7E7E7E7E7E7E7E, 0xFFFFFFFFFFFFFFFF
STEPS, WITHIN = (1, 7, 8, 9), (MIDDLE, MIDDLE, ALL, MIDDLE)


def _native_lanes(enclose: bool) -> Any:
    """``reach`` or ``enclosed`` in vector instructions."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    bits, lane = ir.IntType(64), ir.IntType(32)
    lanes = ir.VectorType(bits, len(STEPS))
    step, twice, within = (ir.Constant(lanes, list(values)) for values in
                           (STEPS, [2 * d for d in STEPS], WITHIN))
    nothing = ir.Constant(lanes, [0] * len(STEPS))

    def spread(builder, value):
        one = builder.insert_element(ir.Constant(lanes, ir.Undefined), value, lane(0))
        same = ir.Constant(ir.VectorType(lane, len(STEPS)), [0] * len(STEPS))
        return builder.shuffle_vector(one, ir.Constant(lanes, ir.Undefined), same)

    def runs(builder, start, through):
        """The runs of the plain twin below, for all steps at once."""
        pairs = builder.and_(through, builder.shl(through, step))
        for shift, two in ((builder.shl, pairs), (builder.lshr, builder.lshr(pairs, step))):
            found = builder.and_(through, shift(start, step))
            found = builder.or_(found, builder.and_(through, shift(found, step)))
            for _ in range(2):
                found = builder.or_(found, builder.and_(two, shift(found, twice)))
            yield found, shift(found, step)

    def together(builder, values):
        """All lanes of two vectors, put together."""
        kind = ir.FunctionType(bits, [lanes])
        name = f"llvm.vector.reduce.or.v{len(STEPS)}i64"
        reduce = cgutils.get_or_insert_function(builder.module, kind, name)
        return builder.call(reduce, [builder.or_(*values)])

    def generate(context, builder, signature, arguments):
        own, opp, *disc = (context.cast(builder, value, kind, types.uint64)
                           for value, kind in zip(arguments, signature.args, strict=True))
        mine = spread(builder, own)
        through = builder.and_(spread(builder, opp), within)
        if not enclose:
            return together(builder, [end for _, end in runs(builder, mine, through)])
        kept = []
        for run, end in runs(builder, spread(builder, disc[0]), through):
            closed = builder.icmp_unsigned("!=", builder.and_(end, mine), nothing)
            kept.append(builder.select(closed, run, nothing))
        return together(builder, kept)

    if enclose:
        @intrinsic
        def enclosed(typingctx, own, opp, disc):
            return types.uint64(own, opp, disc), generate

        return enclosed

    @intrinsic
    def reach(typingctx, own, opp):
        return types.uint64(own, opp), generate

    return reach


def runs(start, through, d):
    """The discs of ``through`` in unbroken runs of up to 6 next to ``start``.

    First those in steps of +d bits, then those in steps of -d.
    """
    up, down = through & (start << d), through & (start >> d)
    for _ in range(5):
        up |= through & (up << d)
        down |= through & (down >> d)
    return up, down


@native(lambda: _native_lanes(enclose=False))
def reach(own: Any, opp: Any) -> Any:
    """The squares that end a run of ``opp`` which begins next to a disc of ``own``, taken or not.
    """
    ends = ZERO
    for d, inside in zip(STEPS, WITHIN, strict=True):
        up, down = runs(word(own), word(opp) & word(inside), word(d))
        ends |= (up << word(d)) | (down >> word(d))
    return ends


@native(lambda: _native_lanes(enclose=True))
def enclosed(own: Any, opp: Any, disc: Any) -> Any:
    """The discs of ``opp`` between ``disc`` and discs of ``own``."""
    found = ZERO
    for d, inside in zip(STEPS, WITHIN, strict=True):
        up, down = runs(word(disc), word(opp) & word(inside), word(d))
        found |= up if (up << word(d)) & word(own) else ZERO
        found |= down if (down >> word(d)) & word(own) else ZERO
    return found
