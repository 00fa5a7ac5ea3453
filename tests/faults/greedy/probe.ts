/*
 * Somebody else who uses the service meanwhile, in a thread of its own: what the attacker's own work costs is not to be
 * counted as the service's. Asks small things one after the other and notes how long each answer took.
 */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** What the thread is given. */
export interface ProbeData {
  port: number
  token: string
  /** What is asked, in turn. */
  routes: string[]
  /** The service's process. */
  pid: number
}

/** What was found since the last time it was asked for. Times in milliseconds, memory in bytes. */
export interface Found {
  count: number
  worst: number
  /** 99 of 100 were as fast. */
  most: number
  worstRoute: string
  /** Answers that were none: a status other than 200, or a broken connection. */
  refused: string[]
  /** Most memory the service held; null where this system does not tell. */
  memory: number | null
}

/** Between two questions, in milliseconds. */
const PAUSE = 4

const { port, token, routes, pid } = workerData as ProbeData
// One connection that stands, as the panel's: opening one is the attacker's affair.
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

let times: { ms: number; route: string }[] = []
let refused: string[] = []
let memory: number | null = null

function ask(route: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path: `/api/v1${route}`,
        headers: { Authorization: `Bearer ${token}` },
      },
      (answer) => {
        answer
          .resume()
          .on('end', () => resolve(answer.statusCode ?? 0))
          .on('error', reject)
      },
    )
    asked.on('error', reject).end()
  })
}

function remember(): void {
  try {
    const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    if (kb) memory = Math.max(memory ?? 0, Number(kb) * 1024)
  } catch {
    // Only Linux says it this way.
  }
}

/** Whether it is waited for what was found. It is told when the question under way is answered, which counts. */
let wanted = false
parentPort?.on('message', () => (wanted = true))

function tell(): void {
  wanted = false
  const sorted = times.toSorted((a, b) => a.ms - b.ms)
  const found: Found = {
    count: sorted.length,
    worst: sorted.at(-1)?.ms ?? 0,
    most: sorted[Math.floor(sorted.length * 0.99)]?.ms ?? 0,
    worstRoute: sorted.at(-1)?.route ?? '',
    refused,
    memory,
  }
  times = []
  refused = []
  memory = null
  parentPort?.postMessage(found)
}

for (let at = 0; ; at++) {
  const route = routes[at % routes.length] ?? ''
  const began = performance.now()
  try {
    const status = await ask(route)
    if (status !== 200) refused.push(`${route}: ${status}`)
  } catch (error) {
    refused.push(`${route}: ${(error as Error).message}`)
  }
  times.push({ ms: performance.now() - began, route })
  remember()
  if (wanted) tell()
  await pause(PAUSE)
}
