/** Cells across and down; the left half is mirrored. */
export const CELLS = 6
const HALF = CELLS / 2

export interface Mark {
  hue: number
  cells: readonly { x: number; y: number }[]
}

/** FNV-1a plus a final mix, so that names differing only in the last letter look different. */
function hashOf(text: string, seed: number): number {
  let hash = 2166136261 ^ seed
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507)
  return (hash ^ (hash >>> 13)) >>> 0
}

export function markOf(id: string): Mark {
  const bits = hashOf(id, 1)
  const cells: { x: number; y: number }[] = []
  for (let y = 0; y < CELLS; y++)
    for (let x = 0; x < HALF; x++)
      if ((bits >>> (y * HALF + x)) & 1) cells.push({ x, y }, { x: CELLS - 1 - x, y })
  return { hue: hashOf(id, 2) % 360, cells }
}
