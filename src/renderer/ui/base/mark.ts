/** Cells across and down of a drawn mark; its left half is mirrored. */
export const CELLS = 6
const HALF = CELLS / 2

/** A mark that is always the same for the same player, and hardly ever for two. */
export interface Mark {
  /** Degrees of the color wheel. */
  hue: number
  /** The cells that are drawn. */
  cells: readonly { x: number; y: number }[]
}

/** FNV-1a, turned over once more so that names which differ in the last letter alone look nothing alike. */
function hashOf(text: string, seed: number): number {
  let hash = 2166136261 ^ seed
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Draws the mark of a player from the uuid, or from the name where there is none. */
export function markOf(id: string): Mark {
  const bits = hashOf(id, 1)
  const cells: { x: number; y: number }[] = []
  for (let y = 0; y < CELLS; y++)
    for (let x = 0; x < HALF; x++)
      if ((bits >>> (y * HALF + x)) & 1) cells.push({ x, y }, { x: CELLS - 1 - x, y })
  return { hue: hashOf(id, 2) % 360, cells }
}
