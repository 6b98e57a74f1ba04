"""Products of a matrix and some rows: by packaging/wheel/narrow.cpp, elsewhere by llama.cpp."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.products import Q4_K, Q5_K, Q6_K, Ggml, modules

KINDS = {"Q4_K": Q4_K, "Q5_K": Q5_K, "Q6_K": Q6_K}
FILE, REPACKED = "as in the file", "repacked"
LAYOUTS = [("Q4_K", FILE), ("Q4_K", REPACKED), ("Q5_K", FILE), ("Q6_K", FILE)]
WIDTHS = (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 24, 25, 64, 65)

OURS = b"__wrap_ggml_cpu_extra_compute_forward"


@pytest.fixture(params=modules(), ids=lambda path: path.stem, scope="module")
def module(request) -> Path:
    return request.param


@pytest.fixture(scope="module")
def ggml(module) -> Ggml:
    return Ggml(module)


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(1)


def place(ggml: Ggml, layout: str) -> int | None:
    if layout == FILE:
        return None
    if not ggml.has("avx2"):
        pytest.skip("only modules with AVX2 lay out Q4_K anew in eight rows")
    buffers = ggml.repacked()
    assert buffers is not None
    return buffers


def numbers(random: np.random.Generator, *shape: int) -> np.ndarray:
    return random.standard_normal(shape, np.float32)


@pytest.mark.parametrize(("kind", "layout"), LAYOUTS)
@pytest.mark.parametrize(("k", "m"), [(256, 8), (768, 64), (2304, 248)])
def test_a_product_of_any_width_is_the_reference_s(ggml, random, kind, layout, k, m) -> None:
    weights = ggml.quantized(KINDS[kind], numbers(random, m, k))
    rows = numbers(random, max(WIDTHS), k)
    reference = ggml.product(KINDS[kind], weights, rows, reference=True)
    for width in WIDTHS:
        found = ggml.product(KINDS[kind], weights, rows[:width], buffers=place(ggml, layout))
        # Sums of products of whole numbers: nothing but the order of a few additions differs.
        np.testing.assert_allclose(found, reference[:width], rtol=0, atol=2e-5 * k**0.5)


@pytest.mark.parametrize(("kind", "layout"), LAYOUTS)
def test_the_largest_values_there_are_do_not_overflow(ggml, random, kind, layout) -> None:
    heavy = np.ones((16, 512), np.float32)  # the largest weight nearly everywhere
    heavy[:, ::32] = 0
    weights = ggml.quantized(KINDS[kind], np.vstack([heavy, -heavy]))
    rows = np.vstack([np.ones((2, 512)), -np.ones((2, 512))]).astype(np.float32)
    reference = ggml.product(KINDS[kind], weights, rows, reference=True)
    found = ggml.product(KINDS[kind], weights, rows, buffers=place(ggml, layout))
    np.testing.assert_allclose(found, reference, rtol=1e-5)
    np.testing.assert_allclose(np.abs(found), 496, rtol=0.01)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("m", [1, 7, 37, 1001])
def test_a_matrix_may_have_any_number_of_rows(ggml, random, kind, m) -> None:
    weights = ggml.quantized(KINDS[kind], numbers(random, m, 512))
    rows = numbers(random, 5, 512)
    reference = ggml.product(KINDS[kind], weights, rows, reference=True)
    for threads in (1, 2, 3, 7):
        found = ggml.product(KINDS[kind], weights, rows, threads=threads)
        np.testing.assert_allclose(found, reference, rtol=0, atol=5e-4)


@pytest.mark.parametrize(("kind", "layout"), LAYOUTS)
def test_neither_the_width_nor_the_threads_change_a_bit_of_it(
    ggml, module, random, kind, layout
) -> None:
    if OURS not in module.read_bytes() or not (ggml.has("avx2") and ggml.has("fma")):
        pytest.skip("this module multiplies by llama.cpp's kernels, which round by the width")
    weights = ggml.quantized(KINDS[kind], numbers(random, 120, 1536))
    rows = numbers(random, 24, 1536)
    buffers = place(ggml, layout)
    alone = np.vstack(
        [ggml.product(KINDS[kind], weights, row[None], buffers=buffers) for row in rows]
    )
    for width in range(1, 25):
        for threads in (1, 2):
            found = ggml.product(
                KINDS[kind], weights, rows[:width], buffers=buffers, threads=threads
            )
            assert found.tobytes() == alone[:width].tobytes()
