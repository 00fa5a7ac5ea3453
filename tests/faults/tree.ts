import { createHash } from 'node:crypto'
import { mkdir, open, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { Chance } from './chance.ts'

/** What a file has to be wherever it arrives. */
export interface Expected {
  /** Bytes. */
  size: number
  /** In hex. */
  sha256: string
  /** Milliseconds since 1970. */
  modifiedAt: number
}

/** Files and folders on a disk, by their paths below `root`, `/`-separated. */
export interface Tree {
  root: string
  files: Map<string, Expected>
  /** Those that hold nothing. */
  folders: string[]
}

/** Written at once, in bytes. */
const STRIDE = 4 * 1024 * 1024
/** A day in the past, whole seconds: every file system holds it. */
const LONG_AGO = Date.UTC(2024, 1, 29)

const zeros = Buffer.alloc(STRIDE)
/** Parts of names that trip what was not meant for them. */
const odd = ['世界', 'العالم', '🧱 blocks', 'Ünïcödé', "it's 100% (2)", '#1 & co', 'a+b=c', '.hidden']

/** Makes one file of chance bytes. */
export async function makeFile(
  root: string,
  name: string,
  size: number,
  chance: Chance,
): Promise<[string, Expected]> {
  const file = path.join(root, ...name.split('/'))
  await mkdir(path.dirname(file), { recursive: true })
  const hash = createHash('sha256')
  const source = chance.bytes()
  const handle = await open(file, 'w')
  try {
    for (let at = 0; at < size; at += STRIDE) {
      const piece = source.update(zeros.subarray(0, Math.min(STRIDE, size - at)))
      hash.update(piece)
      await handle.write(piece)
    }
  } finally {
    await handle.close()
  }
  const modifiedAt = LONG_AGO + chance.between(0, 10_000) * 1000
  await utimes(file, new Date(modifiedAt), new Date(modifiedAt))
  return [name, { size, sha256: hash.digest('hex'), modifiedAt }]
}

/** Makes a single file. */
export async function makeOne(root: string, name: string, size: number, chance: Chance): Promise<Tree> {
  return { root, files: new Map([await makeFile(root, name, size, chance)]), folders: [] }
}

/**
 * Makes a tree as worlds and configurations are: most files small, some empty, some larger than what goes together in one
 * request, names of many languages, empty folders.
 */
export async function makeTree(root: string, count: number, chance: Chance): Promise<Tree> {
  const files = new Map<string, Expected>()
  for (let at = 0; at < count; at++) {
    const folder = `tree/${at % 5 === 0 ? odd[(at / 5) % odd.length] : `folder ${at % 12}`}`
    const name = `${folder}/file ${at}${at % 7 === 0 ? ` ${chance.pick(odd)}` : ''}.dat`
    const size =
      at % 40 === 0 ? 0 : at % 10 === 0 ? chance.between(300_000, 900_000) : chance.between(1, 24_000)
    const [path, expected] = await makeFile(root, name, size, chance)
    files.set(path, expected)
  }
  const folders = ['tree/empty', 'tree/空/فارغ']
  for (const folder of folders) await mkdir(path.join(root, folder), { recursive: true })
  return { root, files, folders }
}

/** All bytes of a tree. */
export const totalBytes = (tree: Tree): number =>
  [...tree.files.values()].reduce((sum, { size }) => sum + size, 0)
