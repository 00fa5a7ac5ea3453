import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { listElsewhere } from './process-table-elsewhere.ts'

/** One process of this computer. */
export interface ProcessRow {
  pid: number
  parent: number
  group: number
  session: number
  /** When it started, in the words of the system: with the pid it names a process for good. */
  started: string
  /** Processor time so far, in milliseconds. */
  cpuMs: number
  /** Resident memory. */
  bytes: number
}

/** Clock ticks in /proc are hundredths of a second to programs, on every architecture that Node runs on. */
const TICK_MS = 10
/** Processes that are looked at before others have their turn: about a millisecond. */
const AT_ONCE = 50
/** One line; names have 64 bytes at most, and numbers twenty digits. */
const LINE_BYTES = 4096

/** All living processes. Those that have ended and wait to be collected by their parent are left out. */
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

/** One living process, or null. Where there is no /proc, by way of the whole list. */
export async function findProcess(pid: number): Promise<ProcessRow | null> {
  if (process.platform === 'linux') return readRow(pid)
  return (await listElsewhere()).find((row) => row.pid === pid) ?? null
}

/** When a living process started, read at once; null where that cannot be told without waiting. */
export function startedAtOnce(pid: number): string | null {
  if (process.platform !== 'linux') return null
  return readRow(pid)?.started ?? null
}

/** The processes that `leader` started, directly or not, and itself, as far as they live. */
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

/**
 * Reads at once, into the same buffer: this comes from the system's memory, where nothing has to be waited for. Of each file
 * that is read as a whole Node would make 64 KiB of garbage, and there are hundreds of them every few seconds.
 */
function readRow(pid: number): ProcessRow | null {
  let file: number | null = null
  try {
    file = openSync(`/proc/${pid}/stat`, 'r')
    return parseRow(line.toString('latin1', 0, readSync(file, line, 0, LINE_BYTES, null)))
  } catch {
    // It ended between the listing and now.
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** `pid (name) state ppid pgrp session …`: the name can hold spaces and brackets, so the fields count from its end. */
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
