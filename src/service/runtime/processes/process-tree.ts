import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { listProcesses, treeOf } from './process-table.ts'
import type { ProcessRow } from './process-table.ts'

const LOOK_MS = 50

/** The start time protects against reused pids. */
export interface Leader {
  pid: number
  /** Null if unreadable: then only the pid counts. */
  started: string | null
}

/** A pid isn't reused while a group or session has its number, so if another process has it, the program is gone. */
export async function livingTree(leader: Leader): Promise<ProcessRow[]> {
  return treeAmong(await listProcesses(), leader)
}

let looking: Promise<ProcessRow[]> | null = null

/** For statistics only: concurrent callers share one, possibly slightly old, reading of the process table. */
export async function measuredTree(leader: Leader): Promise<ProcessRow[]> {
  looking ??= listProcesses().finally(() => {
    looking = null
  })
  return treeAmong(await looking, leader)
}

function treeAmong(rows: readonly ProcessRow[], leader: Leader): ProcessRow[] {
  const now = rows.find((row) => row.pid === leader.pid)
  if (now && leader.started !== null && now.started !== leader.started) return []
  return treeOf(rows, leader.pid)
}

/** Sends TERM to the group. Windows has no equivalent. */
export function askToEnd(pid: number): void {
  if (process.platform !== 'win32') signal(-pid, 'SIGTERM')
}

/** Kills all processes, including those that left the group; resolves when none is left. */
export async function endTree(leader: Leader, alsoKnown: readonly ProcessRow[] = []): Promise<void> {
  if (process.platform === 'win32') {
    await new Promise((resolve) => execFile('taskkill', ['/pid', String(leader.pid), '/T', '/F'], resolve))
    return
  }
  const strays = new Map(alsoKnown.map((row) => [row.pid, row]))
  for (;;) {
    const rows = await listProcesses().catch(() => null)
    if (!rows) {
      signal(-leader.pid, 'SIGKILL')
      if (!isThere(leader.pid)) return
      await wait(LOOK_MS)
      continue
    }
    const tree = new Map(treeAmong(rows, leader).map((row) => [row.pid, row]))
    for (const row of rows) if (strays.get(row.pid)?.started === row.started) tree.set(row.pid, row)
    if (tree.size === 0) return
    for (const row of tree.values()) {
      // Orphans can't be found by parent later, so remember them.
      strays.set(row.pid, row)
      signal(row.pid, 'SIGKILL')
    }
    await wait(LOOK_MS)
  }
}

/** If the process table can't be read, checks the group, which misses only strays; on Windows the leader. */
async function isGone(leader: Leader): Promise<boolean> {
  try {
    return (await livingTree(leader)).length === 0
  } catch {
    return !isThere(leader.pid)
  }
}

function isThere(leader: number): boolean {
  try {
    return process.kill(process.platform === 'win32' ? leader : -leader, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

export async function treeGone(leader: Leader, limitMs: number, canceled?: AbortSignal): Promise<boolean> {
  const end = performance.now() + limitMs
  for (;;) {
    if (await isGone(leader)) return true
    if (performance.now() >= end || canceled?.aborted) return false
    await wait(LOOK_MS)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // ESRCH is the goal; EPERM (it changed its user) can't be helped.
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
