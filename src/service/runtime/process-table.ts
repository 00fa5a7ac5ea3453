import { readdir, readFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
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

/** All living processes. Those that have ended and wait to be collected by their parent are left out. */
export async function listProcesses(): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return listElsewhere()
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const rows = await Promise.all(pids.map(readRow))
  return rows.filter((row) => row !== null)
}

/** One living process, or null. Where there is no /proc, by way of the whole list. */
export async function findProcess(pid: number): Promise<ProcessRow | null> {
  if (process.platform === 'linux') return readRow(pid)
  return (await listElsewhere()).find((row) => row.pid === pid) ?? null
}

/** When a living process started, read at once; null where that cannot be told without waiting. */
export function startedAtOnce(pid: number): string | null {
  if (process.platform !== 'linux') return null
  try {
    return parseRow(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.started ?? null
  } catch {
    return null
  }
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

async function readRow(pid: number): Promise<ProcessRow | null> {
  try {
    return parseRow(await readFile(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    // It ended between the listing and now.
    return null
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
