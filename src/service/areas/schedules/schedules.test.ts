import { expect, test } from 'vitest'
import { presets } from '../../../contract/rules/scopes.ts'
import { shared, type Person } from '../access/access.fixture.ts'

const NIGHTLY = {
  ...{ name: 'Nightly restart', enabled: true, missed: 'skip' },
  when: { cron: '0 5 * * *', timeZone: 'Europe/Berlin' },
  steps: [{ kind: 'power', power: 'restart', onFailure: 'stop' }],
}

async function scheduled() {
  const at = await shared()
  const { service, serverId, code } = at
  const call = (by: Person, method: string, path = '', body?: unknown) =>
    service.call(`${method} /servers/schedules/${serverId}${path}`, {
      token: by.token,
      ...(body !== undefined && { body }),
    })
  const said = async (...args: Parameters<typeof call>) => code(await call(...args))
  const create = async (by: Person, more: object = {}) => call(by, 'POST', '', { ...NIGHTLY, ...more })
  const last = async (by: Person, id: string) => (await call(by, 'GET', `/${id}/runs`)).body.items[0]
  return { ...at, call, said, create, last }
}

test('a rule is written, changed, run and deleted, and the log names it with what it did', async () => {
  const { owner, call, create, last, service, serverId } = await scheduled()
  const { status, body } = await create(owner)
  expect(status).toBe(201)
  expect(body).toMatchObject({ ...NIGHTLY, by: { you: true, owner: true }, paused: null, last: null })
  expect(Date.parse(body.nextAt)).toBeGreaterThan(Date.now())
  const path = `/${body.id}`
  expect((await call(owner, 'PATCH', path, { only: { players: 'none' } })).body.only).toEqual({
    players: 'none',
  })
  expect((await call(owner, 'PATCH', path, { only: null })).body.only).toBeNull()
  expect((await call(owner, 'POST', `${path}/run`)).status).toBe(202)
  await expect.poll(async () => (await last(owner, body.id)).state).toBe('done')
  expect(await last(owner, body.id)).toMatchObject({
    ...{ cause: 'person', by: { you: true } },
    steps: [{ kind: 'power', result: 'done' }],
  })
  expect((await call(owner, 'GET')).body.items).toMatchObject([{ last: { state: 'done' } }])
  const log = async () =>
    (await service.call(`GET /servers/activity/${serverId}`, { token: owner.token })).body.items
  expect(await log()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'servers.power.restart', rule: 'Nightly restart', result: 'done' }),
      expect.objectContaining({ action: 'schedules.run', target: 'Nightly restart', result: 'done' }),
      expect.objectContaining({ action: 'schedules.create', what: 'schedule', target: 'Nightly restart' }),
    ]),
  )
  expect((await call(owner, 'DELETE', path)).status).toBe(204)
  expect((await call(owner, 'GET')).body.items).toEqual([])
  expect((await call(owner, 'GET', `${path}/runs`)).status).toBe(404)
})

test('an operator sees rules, and nobody writes one that does what they may not do', async () => {
  const { owner, other, share, said, create, change, last, call, service } = await scheduled()
  await share(other, presets.operator)
  expect(await said(other, 'GET')).toBe('200')
  expect((await create(other)).status).toBe(403)
  await change(owner, other.id, ['server.read', 'schedules.read', 'schedules.write', 'control.stop'])
  expect((await create(other)).body.error.message).toMatch(/control\.start/)
  const stop = { steps: [{ kind: 'power', power: 'stop', onFailure: 'stop' }] }
  const { body } = await create(other, stop)
  // Whoever wrote it may no longer stop the server.
  await change(owner, other.id, ['server.read', 'schedules.read', 'schedules.write'])
  expect(await said(other, 'POST', `/${body.id}/run`)).toBe('403 server.forbidden')
  expect(await said(owner, 'POST', `/${body.id}/run`)).toBe('202')
  await expect.poll(async () => (await last(owner, body.id)).state).toBe('failed')
  expect((await call(owner, 'GET')).body.items[0]).toMatchObject({
    ...{ enabled: false, nextAt: null },
    paused: {
      code: 'schedules.paused',
      message: 'Ann no longer has the permissions for its steps (control.stop).',
    },
  })
  const told = async (by: Person) =>
    (await service.call('GET /notifications/me', { token: by.token })).body.items
  for (const by of [owner, other])
    expect(await told(by)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'schedule', title: 'Nightly restart was paused on Mine' }),
      ]),
    )
})

test('what cannot be used is refused at its field', async () => {
  const { owner, create, said, call, service, serverId } = await scheduled()
  const step = { kind: 'power', power: 'stop', onFailure: 'stop' }
  const wrong: [object, string][] = [
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ when: {} }, 'when'],
    [{ when: { cron: '* * * * *', event: 'online' } }, 'when'],
    [{ when: { cron: '61 * * * *', timeZone: 'UTC' } }, 'when.cron'],
    [{ when: { cron: '0 0 30 2 *', timeZone: 'UTC' } }, 'when.cron'],
    [{ when: { cron: '0 0 * * *', timeZone: 'Moon/Base' } }, 'when.timeZone'],
    [{ when: { event: 'players' } }, 'when.over'],
    [{ when: { event: 'empty' } }, 'when.minutes'],
    [{ steps: [] }, 'steps'],
    [{ steps: Array.from({ length: 21 }, () => step) }, 'steps'],
    [{ steps: [{ ...step, power: undefined }] }, 'steps.0.power'],
    [{ steps: [{ kind: 'command', command: 'say a\nop Eve', onFailure: 'stop' }] }, 'steps.0.command'],
    [{ steps: [{ kind: 'message', text: 'a\u0000b', onFailure: 'stop' }] }, 'steps.0.text'],
    [{ steps: [{ kind: 'message', text: 'Soon', countdown: 60, onFailure: 'stop' }] }, 'steps.0.text'],
    [{ steps: [{ kind: 'update-extensions', onFailure: 'stop' }] }, 'steps.0.kind'],
    [{ only: { between: { begins: '25:00', ends: '04:00', timeZone: 'UTC' } } }, 'only.between.begins'],
    [{ only: { between: { begins: '04:00', ends: '04:00', timeZone: 'UTC' } } }, 'only.between.ends'],
  ]
  for (const [more, field] of wrong) {
    const { status, body } = await create(owner, more)
    expect([status, Object.keys(body.error.fields ?? {})], JSON.stringify(more)).toEqual([422, [field]])
  }
  expect((await call(owner, 'GET')).body.items).toEqual([])
  expect(await said(owner, 'POST', '/none/run')).toBe('404 schedules.not-found')
  const kinds = `GET /servers/schedules/kinds/${serverId}`
  const { events, steps } = (await service.call(kinds, { token: owner.token })).body
  expect(events).toContain('backup-failed')
  expect(steps).toEqual(['command', 'message', 'power', 'wait', 'backup', 'try-backup'])
  for (let n = 0; n < 50; n++) await create(owner)
  expect((await create(owner)).body.error.code).toBe('schedules.too-many')
})

test('a rule backs up and tries what it made', async () => {
  const { owner, create, call, service, serverId } = await scheduled()
  const steps = ['backup', 'try-backup'].map((kind) => ({ kind, onFailure: 'stop' }))
  const { id } = (await create(owner, { steps })).body
  expect((await call(owner, 'POST', `/${id}/run`)).status).toBeLessThan(300)
  const runs = async () => (await call(owner, 'GET', `/${id}/runs`)).body.items
  await expect.poll(async () => (await runs())[0].state, { timeout: 20_000 }).toMatch(/done|failed/)
  expect((await runs())[0].steps).toMatchObject([
    { kind: 'backup', result: 'done' },
    { kind: 'try-backup', result: 'done' },
  ])
  const backups = await service.call(`GET /servers/backups/${serverId}`, { token: owner.token })
  expect(backups.body.items).toMatchObject([{ cause: 'schedule', state: 'done', tried: {} }])
})

test('the next five times are told before a rule is written', async () => {
  const { owner, service, serverId } = await scheduled()
  const times = (cron: string) =>
    service.call(
      `GET /servers/schedules/times/${serverId}?cron=${encodeURIComponent(cron)}&timeZone=Europe/Berlin`,
      { token: owner.token },
    )
  const { times: next } = (await times('0 5 * * *')).body
  expect(next).toHaveLength(5)
  for (const at of next)
    expect(new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toBe('05:00:00')
  expect((await times('no')).status).toBe(422)
})
