import { lstatSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openTestFiles } from '../files.fixture.ts'
import { type JobProgress, Omissions } from '../jobs.ts'
import { extractArchive, type ExtractWish } from './extract.ts'
import type { DetectedEncoding } from './names/entry-names.ts'

/** Notes what a job tells. */
function notedProgress() {
  const omissions = new Omissions()
  const noted = { omissions, names: null as DetectedEncoding | null }
  const progress: JobProgress = {
    signal: new AbortController().signal,
    total() {},
    add() {},
    leaveOut: (name, reason) => omissions.add(name, reason),
    namesRead: (names) => void (noted.names = names),
    finish() {},
  }
  return { noted, progress }
}

/** Extracts an archive into a new folder, and answers what is there then, and what the job told. */
export async function extracted(bytes: Buffer, wish: Partial<ExtractWish> = {}) {
  const { files, root } = await openTestFiles()
  const { noted, progress } = notedProgress()
  await writeFile(path.join(root, 'archive'), bytes)
  await extractArchive(files, { path: 'archive', to: 'out', conflict: 'refuse', ...wish }, progress)
  const { omissions, names } = noted
  return {
    tree: treeOf(path.join(root, wish.to ?? 'out')),
    out: path.join(root, wish.to ?? 'out'),
    leftOut: omissions.count,
    omissions: omissions.named.map(({ name, reason }) => `${name}: ${reason}`),
    names,
  }
}

/** Paths of all files below a folder, and of folders without anything, which end in a slash. */
export function treeOf(folder: string, within = ''): string[] {
  const found: string[] = []
  for (const name of lstatSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder).sort() : []) {
    const [at, shown] = [path.join(folder, name), within === '' ? name : `${within}/${name}`]
    if (!lstatSync(at).isDirectory()) found.push(shown)
    else {
      const below = treeOf(at, shown)
      found.push(...(below.length > 0 ? below : [`${shown}/`]))
    }
  }
  return found
}

/** Fields of a pax header, which say how long they are. */
export const paxFields = (pairs: [key: string, value: string | number | Buffer][]): Buffer =>
  Buffer.concat(
    pairs.map(([key, value]) => {
      const field = Buffer.concat([
        Buffer.from(` ${key}=`),
        Buffer.isBuffer(value) ? value : Buffer.from(String(value)),
        Buffer.from('\n'),
      ])
      const digits = [1, 2, 3, 4, 5, 6].find((count) => String(field.length + count).length === count)!
      return Buffer.concat([Buffer.from(String(field.length + digits)), field])
    }),
  )
