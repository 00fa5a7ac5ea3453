import type { BigIntStats } from 'node:fs'

/** In ms, rounded: the times we set are a fraction earlier on the disk. */
export const timeOf = ({ mtimeNs }: Pick<BigIntStats, 'mtimeNs'>): number =>
  Math.round(Number(mtimeNs / 1000n) / 1000)
