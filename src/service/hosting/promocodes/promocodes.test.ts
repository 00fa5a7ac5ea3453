import { spawn } from 'node:child_process'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { serviceProgram } from '../../service-program.fixture.ts'
import type { ServiceOptions } from '../../service.ts'
import { heldClock, startTestService, type TestService } from '../../service.fixture.ts'
import { promocodesTable, type PromocodeRow } from '../../store/promocodes.ts'
import { bareCode, hashPromocode, newPromocode } from './promocodes.ts'

const DAY = 24 * 60 * 60 * 1000
const software = { id: 'demo', version: '1.20.4' }

let made = 0
/** Puts a code into the database of a service, as its command line does. */
function codeIn({ service }: TestService, more: Partial<PromocodeRow> = {}): string {
  const db = new DatabaseSync(path.join(service.dataDir, 'service.db'), { timeout: 5000 })
  const code = newPromocode()
  promocodesTable(db).insert({
    ...{ id: `p${(made += 1)}`, hash: hashPromocode(code), name: 'Launch week', createdAt: 1 },
    ...{ servers: 0, memoryMb: 0, diskBytes: 0, lastsMs: null, usesMost: 1, expiresAt: null, ...more },
  })
  db.close()
  return code
}

async function start(options: Partial<ServiceOptions> = {}) {
  const at = await startTestService(options)
  const token = await at.account('ann@example.com')
  return {
    ...at,
    token,
    activate: (code: string, who = token) =>
      at.call('POST /promocodes/activate', { token: who, body: { code } }),
    create: (memoryMb = 512) =>
      at.call('POST /servers', { token, body: { name: 'Mine', software, memoryMb } }),
  }
}
const refused = (status: number, why: string) => ({ status, body: { error: { code: `promocode.${why}` } } })

describe('a code', () => {
  test('is activated once by an account, however it was typed, and is in its history from then on', async () => {
    const at = await start()
    const code = codeIn(at, { servers: 2, memoryMb: 1024, diskBytes: 2 ** 30, usesMost: 5 })
    const typed = ` ${code.toLowerCase().replaceAll('-', ' – ')}\n`
    const { status, body } = await at.activate(typed)
    expect(status).toBe(200)
    const promotion = {
      name: 'Launch week',
      benefits: { servers: 2, memoryMb: 1024, diskBytes: 2 ** 30 },
      active: true,
    }
    expect(body).toMatchObject(promotion)
    const { body: history } = await at.call('GET /promocodes/me', { token: at.token })
    expect(history).toEqual({ items: [body], nextCursor: null })
    expect(JSON.stringify(history)).not.toContain(bareCode(code))
    expect(await at.activate(code)).toMatchObject(refused(409, 'already-used'))
    const { body: data } = await at.call('GET /users/me/export', { token: at.token })
    expect(data.promotions).toMatchObject([{ name: 'Launch week', servers: 2, endsAt: null }])
  })

  test('that is unknown, expired, withdrawn, used up, or used by me already is refused with a reason of its own', async () => {
    const clock = heldClock()
    const at = await start({ clock })
    const ben = await at.account('ben@example.com')
    const one = codeIn(at, { servers: 1 })
    expect((await at.activate(one)).status).toBe(200)
    expect(await at.activate(one)).toMatchObject(refused(409, 'already-used'))
    expect(await at.activate(one, ben)).toMatchObject(refused(409, 'used-up'))
    const short = codeIn(at, { servers: 1, expiresAt: clock.now() + DAY })
    clock.forward(DAY)
    expect(await at.activate(short)).toMatchObject(refused(409, 'expired'))
    expect(await at.activate('ABCD-EFGH-JKMN-PQRS')).toMatchObject(refused(422, 'unknown'))
    const withdrawn = codeIn(at, { id: 'gone', servers: 1 })
    const db = new DatabaseSync(path.join(at.service.dataDir, 'service.db'), { timeout: 5000 })
    expect([promocodesTable(db).revoke('gone', 1), promocodesTable(db).revoke('none', 1)]).toEqual([
      true,
      false,
    ])
    db.close()
    expect(await at.activate(withdrawn)).toMatchObject(refused(409, 'expired'))
  })

  test('has as many uses as it was made with, whoever comes at the same time', async () => {
    const at = await start()
    const tokens = [at.token]
    for (const name of ['b', 'c', 'd', 'e']) tokens.push(await at.account(`${name}@example.com`))
    const code = codeIn(at, { servers: 1, usesMost: 3 })
    const tries = await Promise.all([...tokens, ...tokens].map((token) => at.activate(code, token)))
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(new Set(tries.filter(({ status }) => status !== 200).map(({ body }) => body.error.code))).toEqual(
      new Set(['promocode.already-used', 'promocode.used-up']),
    )
  })

  test('is drawn anew each time, from letters and digits that are not mistaken for others', () => {
    const codes = Array.from({ length: 2000 }, newPromocode)
    expect(new Set(codes).size).toBe(2000)
    for (const code of codes) expect(code).toMatch(/^([A-HJKMNP-TVWXYZ2-9]{4}-){3}[A-HJKMNP-TVWXYZ2-9]{4}$/)
  })
})

describe('what a code gives', () => {
  test('is more servers, until it ends; what was made with it stays and can be started', async () => {
    const clock = heldClock()
    const at = await start({ clock, bounds: { servers: 1 } })
    const limits = async () => (await at.call('GET /users/me/limits', { token: at.token })).body
    expect((await at.create()).status).toBe(201)
    const full = await at.create()
    expect(full).toMatchObject({ status: 409, body: { error: { code: 'server.too-many' } } })
    expect(full.body.error.message).toBe(
      'You use the only server of your account. Delete it or redeem a promocode.',
    )
    await at.activate(codeIn(at, { servers: 1, lastsMs: DAY }))
    expect(await limits()).toMatchObject({ servers: { used: 1, most: 2, limited: true } })
    const second = await at.create()
    expect(second.status).toBe(201)
    clock.forward(DAY)
    expect(await limits()).toMatchObject({ servers: { used: 2, most: 1 } })
    const { items } = (await at.call('GET /promocodes/me', { token: at.token })).body
    expect(items).toMatchObject([{ active: false }])
    const over = await at.create()
    expect(over.body.error.message).toMatch(
      /has 2 servers and may have 1, since benefits of a promocode ended on \d{4}-\d\d-\d\d \(UTC\)\./,
    )
    const power = `POST /servers/power/${second.body.id}`
    expect((await at.call(power, { token: at.token, body: { action: 'start' } })).status).toBeLessThan(300)
  })

  test('is more memory for all servers together, when they are made and when theirs is raised', async () => {
    const at = await start({ memoryPerAccount: 1024 })
    const first = await at.create(768)
    expect(first.status).toBe(201)
    const tooMuch = { status: 409, body: { error: { code: 'server.memory-limit' } } }
    expect(await at.create(512)).toMatchObject(tooMuch)
    const config = `/servers/config/${first.body.id}`
    const change = async (memoryMb: number) => {
      const { headers } = await at.call(`GET ${config}`, { token: at.token })
      const tag = { 'If-Match': headers.get('etag') ?? '' }
      return at.call(`PATCH ${config}`, { token: at.token, body: { memoryMb }, headers: tag })
    }
    expect(await change(1280)).toMatchObject(tooMuch)
    expect((await change(1024)).status).toBe(200)
    await at.activate(codeIn(at, { memoryMb: 512 }))
    expect((await change(1280)).status).toBe(200)
    expect((await at.create(256)).status).toBe(201)
    expect((await at.call('GET /users/me/limits', { token: at.token })).body).toMatchObject({
      memoryMb: { used: 1536, most: 1536, limited: true },
      diskBytes: { limited: false },
    })
  })

  test('is more room for the files of each server', async () => {
    const at = await start({ fileLimits: { quotaBytes: 1000 } })
    const { body: server } = await at.create()
    const limits = () => at.call(`GET /servers/files/limits/${server.id}`, { token: at.token })
    expect((await limits()).body.quotaBytes).toBe(1000)
    await at.activate(codeIn(at, { diskBytes: 5000 }))
    expect((await limits()).body.quotaBytes).toBe(6000)
    expect((await at.call('GET /users/me/limits', { token: at.token })).body.diskBytes).toEqual({
      ...{ most: 6000, limited: true },
    })
  })
})

test('guesses are counted; true codes are not, and who guesses keeps nobody else at the same address out', async () => {
  const limits = { promoPerAddress: { points: 5, seconds: 60 } }
  const at = await start({ limits })
  const stranger = await at.account('mallory@example.com')
  const statuses: number[] = []
  for (let tries = 0; tries < 12; tries++) statuses.push((await at.activate('ABCD', stranger)).status)
  expect(statuses).toEqual([...Array<number>(8).fill(422), ...Array<number>(4).fill(429)])
  for (let tries = 0; tries < 12; tries++)
    expect((await at.activate(codeIn(at, { servers: 1 }))).status).toBe(200)
  expect((await at.activate(codeIn(at, { servers: 1 }), stranger)).status).toBe(429)
})

test('a list of many is read page by page', async () => {
  const at = await start()
  for (let count = 0; count < 5; count++) await at.activate(codeIn(at, { name: `Code ${count}`, servers: 1 }))
  const names: string[] = []
  let cursor: string | null = null
  do {
    const { body } = await at.call(`GET /promocodes/me?limit=2${cursor ? `&cursor=${cursor}` : ''}`, {
      token: at.token,
    })
    names.push(...body.items.map(({ name }: { name: string }) => name))
    cursor = body.nextCursor as string | null
  } while (cursor !== null)
  expect(names).toEqual(['Code 4', 'Code 3', 'Code 2', 'Code 1', 'Code 0'])
})

test('the command line makes codes while the service runs, lists them without telling them, and ends them', async () => {
  const at = await start()
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [
      serviceProgram,
      'promocodes',
      '--data',
      at.service.dataDir,
      ...args,
    ])
    const [said, wrong] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { said: said.trim(), wrong }
  }
  const { said } = await run('create', '--name', 'Launch', '--count', '2', '--servers', '3', '--lasts', '30')
  const [first = '', second = ''] = said.split('\n')
  expect((await at.activate(first)).body).toMatchObject({ name: 'Launch', benefits: { servers: 3 } })
  const list = (await run('list')).said
  expect(list.split('\n').sort()).toEqual([
    expect.stringMatching(/ Launch: 3 servers for 30 days; used [01] of 1$/),
    expect.stringMatching(/ Launch: 3 servers for 30 days; used [01] of 1$/),
  ])
  expect(list).not.toContain(second)
  const unused = list
    .split('\n')
    .find((line) => line.includes('used 0'))!
    .split(' ')[0]!
  expect((await run('revoke', unused)).said).toBe(`Revoked: ${unused}`)
  expect(await at.activate(second)).toMatchObject(refused(409, 'expired'))
  expect((await run('revoke', 'nothing')).wrong).toContain('There is no promocode nothing.')
  expect((await run('create')).wrong).toContain('A code has to give something')
  expect((await run('create', '--servers', '0')).wrong).toContain('whole number from 1 to 1000')
})
