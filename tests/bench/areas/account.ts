import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, type Figure, type Outcome } from '../table.ts'
import { startLimitless } from './limitless.ts'

const PAIRS = 500
/** ms that the medians may be apart. */
const TARGET = 1
/** The work after an answer is over by then, ms. */
const QUIET = 12

type Ask = (route: string, email: string) => Promise<number>

/**
 * Whether asking for a code tells by time whether an address has an account: how long the answer takes, and how long the
 * next one does, while the mail of the first may still be written. No limit is in the way of who measures.
 */
export async function benchAccount(): Promise<Omit<Outcome, 'bench'>> {
  const data = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-account-'))
  const service = await startLimitless(data)
  try {
    const { baseUrl } = service
    const ask: Ask = (route, email) => post(baseUrl + route, { email })
    // Nobody has confirmed them, so both forgetting and resending send a mail.
    const taken = Array.from({ length: 20 }, (_, at) => `taken-${at}@example.org`)
    for (const email of taken)
      await post(`${baseUrl}/auth/register`, { name: 'Ann', email, password: 'correct horse battery' })
    const figures: Figure[] = []
    for (const [name, route] of [
      ['forgot', '/auth/password/forgot'],
      ['resend', '/auth/email/resend'],
    ] as const)
      figures.push(...(await measured(name, route, taken, ask)))
    return { figures, lost: 0 }
  } finally {
    await service.close()
    await rm(data, { recursive: true, force: true })
  }
}

async function measured(name: string, route: string, taken: readonly string[], ask: Ask): Promise<Figure[]> {
  const own = { taken: [] as number[], free: [] as number[] }
  const next = { taken: [] as number[], free: [] as number[] }
  // What is compiled while it runs is so before it counts.
  for (let at = -100; at < PAIRS; at++) {
    const pair = ['taken', 'free'] as const
    for (const which of Math.random() < 0.5 ? pair : pair.toReversed()) {
      const some = String(Math.abs(at) % taken.length)
      const took = await ask(route, `${which}-${some}@example.org`)
      const after = await ask(route, 'nobody-else@example.org')
      if (at >= 0) {
        own[which].push(took)
        next[which].push(after)
      }
      await new Promise((resolve) => setTimeout(resolve, QUIET))
    }
  }
  const figure = (what: string, { taken, free }: typeof own): Figure => ({
    name: `${name}: ${what}, apart with an account and without`,
    ...{ value: Math.abs(median(taken) - median(free)), unit: 'ms', target: TARGET },
    note: `${PAIRS} pairs, medians ${median(taken).toFixed(2)} ms with, ${median(free).toFixed(2)} ms without`,
  })
  return [figure('its answer', own), figure('the answer after it', next)]
}

async function post(url: string, body: object): Promise<number> {
  const begun = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  const took = performance.now() - begun
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return took
}
