import type { Yielder } from '../../host/yield.ts'

const RUN = 4096

/** Yields to the event loop: a hundred thousand names would block it. */
export async function sorted(names: string[], yielder: Yielder): Promise<string[]> {
  if (names.length <= RUN) return names.sort()
  let runs: string[][] = []
  for (let at = 0; at < names.length; at += RUN) {
    await yielder.next()
    runs.push(names.slice(at, at + RUN).sort())
  }
  while (runs.length > 1) {
    const merged: string[][] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], yielder))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(a: string[], b: string[], yielder: Yielder): Promise<string[]> {
  const into: string[] = []
  for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
    if (into.length % RUN === 0) await yielder.next()
    const isFirst = j >= b.length || (i < a.length && a[i]! <= b[j]!)
    into.push(isFirst ? a[i++]! : b[j++]!)
  }
  return into
}
