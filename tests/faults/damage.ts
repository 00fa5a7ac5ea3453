import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Chance } from './chance.ts'

/** What can befall a file. Folders can only be gone, or have something else in their place. */
export const damages = [
  'garbage',
  'a byte flipped',
  'empty',
  'truncated',
  'from the future',
  'unreadable',
  'a folder',
  'a link to itself',
  'a FIFO',
  'missing',
] as const
export type Damage = (typeof damages)[number]

const PAGE = 4096

/** Does it. Answers false where it means nothing for this file: only databases have a future. */
export function strike(file: string, damage: Damage, chance: Chance): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory() && !['a link to itself', 'a FIFO', 'garbage', 'unreadable'].includes(damage))
    return false
  switch (damage) {
    case 'garbage':
      replace(file)
      writeFileSync(file, chance.bytes().update(Buffer.alloc(chance.between(100, 20_000))))
      break
    case 'a byte flipped':
      if (!stat || stat.size === 0) return false
      flip(file, chance)
      break
    case 'empty':
      if (!stat || stat.size === 0) return false
      truncateSync(file, 0)
      break
    case 'truncated':
      if (!stat || stat.size < 2) return false
      truncateSync(file, chance.between(1, stat.size - 1))
      break
    case 'from the future':
      if (!file.endsWith('.db')) return false
      future(file)
      break
    case 'unreadable':
      if (!stat) return false
      chmodSync(file, 0)
      // Who owns it could change that again.
      if (process.getuid?.() === 0) chownSync(file, 0, 0)
      return true
    case 'a folder':
      replace(file)
      mkdirSync(file)
      writeFileSync(path.join(file, 'something'), 'else')
      break
    case 'a link to itself':
      replace(file)
      symlinkSync(path.basename(file), file)
      return true
    case 'a FIFO':
      replace(file)
      execFileSync('mkfifo', ['-m', '600', file])
      break
    case 'missing':
      if (!stat) return false
      rmSync(file)
      return true
  }
  // Whoever damages it, it is still the user's own.
  const owner = statSync(path.dirname(file))
  chownSync(file, owner.uid, owner.gid)
  return true
}

const replace = (file: string): void => {
  rmSync(file, { recursive: true, force: true })
  if (!existsSync(path.dirname(file))) throw new Error(`There is no folder for ${file}`)
}

/** Of a database the byte that says what kind of page it is; of any other file, any byte. */
function flip(file: string, chance: Chance): void {
  const bytes = readFileSync(file)
  const pages = Math.floor(bytes.length / PAGE)
  const at =
    file.endsWith('.db') && pages > 1
      ? PAGE * chance.between(1, pages - 1)
      : chance.between(0, bytes.length - 1)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.between(0, 7))
  writeFileSync(file, bytes)
}

function future(file: string): void {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version = 900')
  db.close()
  for (const beside of [`${file}-wal`, `${file}-shm`]) rmSync(beside, { force: true })
}
