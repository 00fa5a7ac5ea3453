import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { listElsewhere } from './process-table-elsewhere.ts'

export interface ProcessRow {
  pid: number
  parent: number
  group: number
  session: number
  /** In the system's format. Together with the pid it identifies a process. */
  started: string
  cpuMs: number
  bytes: number
}

/** /proc always uses 1/100 s on architectures Node supports. */
const TICK_MS = 10
/** Processes read before yielding: about 1 ms. */
const AT_ONCE = 50
/** Names have at most 64 bytes, numbers 20 digits. */
const LINE_BYTES = 4096

/** Excludes zombies. */
export async function listProcesses(): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return listElsewhere()
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const rows: ProcessRow[] = []
  for (const [at, pid] of pids.entries()) {
    if (at > 0 && at % AT_ONCE === 0) await othersFirst()
    const row = readRow(pid)
    if (row) rows.push(row)
  }
  return rows
}

export async function findProcess(pid: number): Promise<ProcessRow | null> {
  if (process.platform === 'linux') return readRow(pid)
  return (await listElsewhere()).find((row) => row.pid === pid) ?? null
}

/** Synchronous; null where that isn't possible. */
export function startedAtOnce(pid: number): string | null {
  if (process.platform !== 'linux') return null
  return readRow(pid)?.started ?? null
}

export function treeOf(rows: readonly ProcessRow[], leader: number): ProcessRow[] {
  const tree = new Map<number, ProcessRow>()
  for (const row of rows)
    if (row.pid === leader || row.group === leader || row.session === leader) tree.set(row.pid, row)
  for (let grown = true; grown;) {
    grown = false
    for (const row of rows) {
      if (tree.has(row.pid) || !tree.has(row.parent)) continue
      tree.set(row.pid, row)
      grown = true
    }
  }
  return [...tree.values()]
}

const line = Buffer.allocUnsafe(LINE_BYTES)

/** Synchronous: /proc is in memory, and Node's readFile would allocate 64 KiB per file. */
function readRow(pid: number): ProcessRow | null {
  let file: number | null = null
  try {
    file = openSync(`/proc/${pid}/stat`, 'r')
    return parseRow(line.toString('latin1', 0, readSync(file, line, 0, LINE_BYTES, null)))
  } catch {
    // Ended meanwhile.
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** `pid (name) state ppid pgrp session …`: names can contain spaces and brackets. */
function parseRow(stat: string): ProcessRow | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const number = (at: number) => Number(fields[at])
  if (fields[0] === 'Z' || fields[0] === 'X' || fields.length < 22) return null
  return {
    pid: parseInt(stat, 10),
    parent: number(1),
    group: number(2),
    session: number(3),
    started: fields[19]!,
    cpuMs: (number(11) + number(12)) * TICK_MS,
    bytes: number(21) * pageBytes(),
  }
}

let page = 0
function pageBytes(): number {
  if (page > 0) return page
  try {
    page =
      Number(/KernelPageSize:\s+(\d+) kB/.exec(readFileSync('/proc/self/smaps', 'latin1'))?.[1] ?? 4) * 1024
  } catch {
    page = 4096
  }
  return page
}
