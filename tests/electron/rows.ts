import { appendFileSync } from 'node:fs'

/** What came of one check. */
export interface Row {
  name: string
  /** `not-here`: this computer does not offer it. */
  outcome: 'works' | 'fails' | 'not-here'
  said: string
  ms: number
}

/** One thing that is tried. It answers what it saw, and throws a sentence where that is not as it should be. */
export interface Check {
  name: string
  run: () => Promise<string>
}

/** Thrown by a check where the computer lacks what is tried. */
export class NotHere extends Error {}

/** Tries one after another, each for a bounded time, and tells each row as soon as it is there. Never rejects. */
export async function tryAll(
  checks: readonly Check[],
  limitMs: number,
  tell: (row: Row) => void,
): Promise<void> {
  for (const { name, run } of checks) {
    const since = performance.now()
    const [outcome, said] = await within(run, limitMs)
    tell({ name, outcome, said, ms: Math.round(performance.now() - since) })
  }
}

/** Writes rows down as they come: what is tried may end the whole program. */
export const intoFile = (path: string) => (row: Row) => appendFileSync(path, `${JSON.stringify(row)}\n`)

async function within(run: () => Promise<string>, limitMs: number): Promise<[Row['outcome'], string]> {
  const { promise: late, resolve } = Promise.withResolvers<[Row['outcome'], string]>()
  const timer = setTimeout(() => resolve(['fails', `no answer within ${limitMs / 1000} s`]), limitMs)
  const tried = async (): Promise<[Row['outcome'], string]> => {
    try {
      return ['works', await run()]
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      return [error instanceof NotHere ? 'not-here' : 'fails', said]
    }
  }
  try {
    return await Promise.race([tried(), late])
  } finally {
    clearTimeout(timer)
  }
}
