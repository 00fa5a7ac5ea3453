import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashSecret, newSecret } from '../../../src/service/hosting/secrets.ts'
import { systemClock } from '../../../src/service/base/clock.ts'
import { serverFolders } from '../../../src/service/files/server-folders.ts'
import type { EntryFilter, EntryPosition } from '../../../src/service/store/activity.ts'
import { openStore, type Store } from '../../../src/service/store/store.ts'
import { median, type Figure, type Outcome } from '../table.ts'
import { startLimitless } from './limitless.ts'

const ENTRIES = 100_000
/** People who did them, one of them hardly anything. */
const PEOPLE = 40
const RARE = 'person-rare'
const RARE_ENTRIES = 60
const RUNS = 15
const PAGE = 100
const FULL_PAGE = 200
/** Most ms of one page, wherever it lies and by whatever it is filtered; and of a file with all of them. */
const PAGE_TARGET = 30
const EXPORT_TARGET = 3000

const FIRST: EntryPosition = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }
const AREAS = ['files', 'files', 'files', 'console', 'servers', 'players', 'access'] as const

/** The log of one server with 100,000 entries, as it is asked for over HTTP; beside it the same rows from SQLite alone. */
export async function benchActivity(): Promise<Omit<Outcome, 'bench'>> {
  const data = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-activity-'))
  const token = newSecret()
  try {
    const raw = await filled(data, token)
    const service = await startLimitless(data)
    try {
      const get = (query: string) => ask(`${service.baseUrl}/servers/activity/${query}`, token)
      return await measured(get, raw)
    } finally {
      await service.close()
    }
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** Reads the same from SQLite alone, and what it takes, in ms. */
interface Raw {
  pages: ReadonlyMap<string, number>
  all: number
}

const FILTERS: readonly { name: string; query: string; filter: EntryFilter; isOld?: boolean }[] = [
  { name: 'the first page', query: '', filter: {} },
  { name: 'a page in the middle', query: '', filter: {}, isOld: true },
  { name: 'of one of its busiest people', query: '&actor=person-1', filter: { actor: 'person-1' } },
  { name: 'of somebody who did hardly anything', query: `&actor=${RARE}`, filter: { actor: RARE } },
  { name: 'of one kind', query: '&area=access', filter: { area: 'access' } },
  {
    name: 'of one person and kind, a page in the middle',
    ...{ query: '&actor=person-1&area=files', filter: { actor: 'person-1', area: 'files' }, isOld: true },
  },
]

/** Half of the time that the entries are of lies before this. */
const MIDDLE: EntryPosition = { at: 1_800_000_000_000 + (ENTRIES / 2) * 1000, id: 1 }

async function measured(get: Get, raw: Raw): Promise<Omit<Outcome, 'bench'>> {
  const figures: Figure[] = []
  let lost = 0
  for (const { name, query, isOld } of FILTERS) {
    const place = isOld ? `&before=${MIDDLE.at}-${MIDDLE.id}` : ''
    const took: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const page = await get(`server?limit=${PAGE}${query}${place}`)
      took.push(page.ms)
      const wanted = query.includes(RARE) ? RARE_ENTRIES : PAGE
      if (itemsIn(page.text).items.length !== wanted) lost += 1
    }
    figures.push({
      name: `activity of ${ENTRIES.toLocaleString('en-GB')}, ${name}`,
      ...{ value: median(took), unit: 'ms', limit: raw.pages.get(name)!, target: PAGE_TARGET },
      note: `${PAGE} entries by HTTP; limit: the same rows from SQLite`,
    })
  }
  const walk = await walked(get)
  figures.push({
    name: `activity of ${ENTRIES.toLocaleString('en-GB')}, the slowest of all its pages`,
    ...{ value: walk.slowest, unit: 'ms', note: `${walk.pages} pages of ${FULL_PAGE}, one after the other` },
  })
  lost += Math.abs(ENTRIES - walk.ids.size) + walk.twice
  for (const format of ['csv', 'json']) {
    const file = await get(`export/server?format=${format}`)
    const rows =
      format === 'csv' ? file.text.trimEnd().split('\r\n').length - 1 : (JSON.parse(file.text) as []).length
    lost += Math.abs(ENTRIES - rows)
    figures.push({
      name: `activity of ${ENTRIES.toLocaleString('en-GB')} as a file (${format})`,
      ...{ value: file.ms, unit: 'ms', limit: raw.all, target: EXPORT_TARGET },
      note: `${(file.text.length / 1e6).toFixed(1)} MB; limit: all rows from SQLite`,
    })
  }
  return { figures, lost }
}

/** Every page, from the newest entry to the oldest. */
async function walked(get: Get) {
  const ids = new Set<string>()
  let [slowest, pages, twice] = [0, 0, 0]
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await get(`server?limit=${FULL_PAGE}${cursor && `&cursor=${cursor}`}`)
    const { items, nextCursor } = itemsIn(page.text)
    for (const { id } of items) {
      if (ids.has(id)) twice += 1
      ids.add(id)
    }
    slowest = Math.max(slowest, page.ms)
    pages += 1
    cursor = nextCursor
  }
  return { ids, slowest, pages, twice }
}

type Get = (query: string) => Promise<{ text: string; ms: number }>

const itemsIn = (text: string) => JSON.parse(text) as { items: { id: string }[]; nextCursor: string | null }

async function ask(url: string, token: string): Promise<{ text: string; ms: number }> {
  const begun = performance.now()
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  const text = await response.text()
  const ms = performance.now() - begun
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 200)}`)
  return { text, ms }
}

/** A service's folder with the log; answers what reading the rows from SQLite takes. */
async function filled(data: string, token: string): Promise<Raw> {
  const store = await openStore(join(data, 'service.db'), { clock: systemClock })
  try {
    fill(store, token)
    await serverFolders(data).make('server')
    const pages = new Map(
      FILTERS.map(({ name, filter, isOld }) => {
        const read = () => store.activity.page('server', filter, isOld ? MIDDLE : FIRST, PAGE + 1)
        return [name, median(Array.from({ length: RUNS }, () => timed(read)))]
      }),
    )
    return { pages, all: timed(() => store.activity.page('server', {}, FIRST, ENTRIES)) }
  } finally {
    await store.close()
  }
}

function timed(work: () => unknown): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}

function fill(store: Store, token: string): void {
  const now = Date.now()
  store.inOneStep(() => {
    store.accounts.insert({
      ...{ id: 'owner', email: 'owner@example.org', name: 'Ann', language: null },
      ...{ passwordHash: null, confirmedAt: 1, createdAt: 1 },
    })
    store.accounts.insertToken(hashSecret(token), 'owner', now, now + 86_400_000)
    store.servers.insert({
      ...{ id: 'server', ownerId: 'owner', name: 'Busy', memoryMb: 512, port: 20_000 },
      ...{ softwareId: 'demo', softwareVersion: '1', createdAt: 1 },
    })
    for (let at = 0; at < ENTRIES; at++) {
      const isRare = at % Math.floor(ENTRIES / RARE_ENTRIES) === 7 && at < ENTRIES - 100
      // Every second one is one person's.
      const actor = isRare ? RARE : `person-${at % 2 === 0 ? 1 : 2 + ((at * 7) % PEOPLE)}`
      const area = AREAS[(at * 13) % AREAS.length]!
      const target = `plugins/folder-${at % 300}/file-${at}.yml`
      store.activity.add(
        'server',
        {
          ...{ at: 1_800_000_000_000 + at * 1000, seen: now, actor, area, action: `${area}.write` },
          ...{
            kind: 'file',
            targets: [target],
            count: 1,
            times: 1,
            result: 'done',
            reason: null,
            rule: null,
          },
          address: `192.0.2.${at % 250}`,
        },
        `Person ${actor}`,
      )
    }
  })
}
