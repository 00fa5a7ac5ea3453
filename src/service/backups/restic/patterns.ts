import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { joined, nameOf, parentOf } from '../../../contract/rules/paths.ts'
import { diskPath, fromBytes, toBytes } from '../../files/names/raw-names.ts'
import type { SourceEntry } from '../backup-store.ts'

/** Patterns that match one path and what is below: none of its characters means more than itself. */
const literal = (text: string): string =>
  path.sep === '\\' ? text.replaceAll('[', '[[]') : text.replaceAll(/[*?[]/g, '[$&]').replaceAll('\\', '\\\\')

/** For an argument, which holds characters only: a byte that is none is matched by any, so it may match more. */
export const includePattern = (at: string): string =>
  literal(at).replaceAll(/[\uf780-\uf7ff]+/g, (run) => charactersIn(toBytes(run)))

function charactersIn(bytes: Buffer): string {
  let pattern = ''
  for (let at = 0; at < bytes.length;) {
    // The longest that is a character: names can hold those that stand for bytes here.
    const length = [4, 3, 2].find((most) => isCharacter(bytes.subarray(at, at + most), most))
    pattern += length ? bytes.toString('utf8', at, at + length) : '?'
    at += length ?? 1
  }
  return pattern
}

const isCharacter = (bytes: Buffer, length: number): boolean =>
  bytes.length === length && [...bytes.toString()].length === 1 && Buffer.from(bytes.toString()).equals(bytes)

/** Any character but a line feed is in the class: a line can't hold one. */
const LINE_FEED = '[^\u0001-\u0009\u000b-\u{10ffff}]'

/** A line for a file of patterns, where spaces at the end are cut off and `$` begins a variable. */
const excludeLine = (at: string): Buffer =>
  toBytes(
    `${literal(at)
      .replaceAll('$', '$$$$')
      .replace(/[^\S\n]$/u, '[$&]')
      .replaceAll('\n', LINE_FEED)}\n`,
  )

/** Everything in the folders of a source that isn't in the source itself. */
export async function excludedLines(
  root: string,
  entries: readonly SourceEntry[],
  isRead: (entry: SourceEntry) => boolean,
): Promise<Buffer> {
  const wanted = new Map<string, Set<string>>([['', new Set()]])
  for (const entry of entries) {
    if (entry.kind === 'folder') wanted.set(entry.path, wanted.get(entry.path) ?? new Set())
    if (isRead(entry)) namesIn(wanted, parentOf(entry.path)).add(nameOf(entry.path))
  }
  const lines: Buffer[] = []
  for (const [folder, names] of wanted) {
    const there = await readdir(diskPath(root, folder), { encoding: 'buffer' }).catch(() => [])
    for (const bytes of there) {
      const name = fromBytes(bytes)
      if (!names.has(name)) lines.push(excludeLine(`${root}${path.sep}${joined(folder, name)}`))
    }
  }
  return Buffer.concat(lines)
}

function namesIn(all: Map<string, Set<string>>, folder: string): Set<string> {
  const names = all.get(folder) ?? new Set()
  all.set(folder, names)
  return names
}
