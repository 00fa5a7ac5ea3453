import { expect, test } from 'vitest'
import { operations } from '../../../contract/areas/index.ts'
import { heldClock, PASSWORD } from '../../service.fixture.ts'
import { type Person, shared } from '../access/access.fixture.ts'

/** What everything that must not be in a log is called here. */
const SECRET = 'hunter2-never-in-a-log'
const DAY = 24 * 60 * 60 * 1000

/** A server that is shared, and its log as somebody reads it. */
async function logged(options: Parameters<typeof shared>[0] = {}) {
  const at = await shared(options)
  const read = async (by: Person, query = '') =>
    await at.service.call(`GET /servers/activity/${at.serverId}${query}`, { token: by.token })
  const entries = async (by: Person, query = '') => (await read(by, query)).body.items
  const post = (by: Person, path: string, body: object) =>
    at.service.call(`POST /servers/${path}/${at.serverId}`, { token: by.token, body })
  return { ...at, read, entries, post }
}

const brief = (entries: { actor: { name: string }; action: string; target: string; result: string }[]) =>
  entries.map(({ action, target, result }) => [action, target ?? '', result].join(' ').replace('  ', ' '))

test('what is done is in the log: who, what, with what, from where, and what came of it', async () => {
  const { owner, other, share, post, entries, service, serverId } = await logged()
  await share(other, ['files.read', 'files.write', 'console.send', 'activity.read'])
  await post(other, 'files/folder', { path: 'plugins/a' })
  await post(other, 'files/folder', { path: 'plugins/a' })
  await post(other, 'power', { action: 'start' })
  await service.call(`PATCH /servers/config/${serverId}`, {
    token: owner.token,
    body: { memoryMb: 1024 },
    headers: { 'If-Match': '*' },
  })
  const all = await entries(owner)
  expect(brief(all)).toEqual([
    'servers.change-config memoryMb done',
    'servers.power.start refused',
    'files.folder plugins/a refused',
    'files.folder plugins/a done',
    'access.answer true done',
    'access.invite other@example.org done',
    'servers.create Mine done',
  ])
  expect(all[3]).toMatchObject({
    actor: { id: other.id, name: 'Ann', owner: false, you: false },
    what: 'file',
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
    reason: null,
  })
  expect(Math.abs(Date.parse(all[3].at) - Date.now())).toBeLessThan(60_000)
  expect(all[2].reason).toBe('files.exists')
  expect(all[1]).toMatchObject({ reason: 'server.forbidden', actor: { id: other.id } })
  expect(all[0].actor).toMatchObject({ owner: true, you: true })
})

test('what strangers ask is not in the log, and who may not read it reads nothing', async () => {
  const { owner, other, third, share, read, post, entries } = await logged()
  await share(other, ['server.read'])
  await post(third, 'power', { action: 'start' })
  expect((await read(third)).status).toBe(404)
  expect((await read(other)).status).toBe(403)
  expect(brief(await entries(owner))).not.toContain('servers.power refused')
})

test('no secret gets into the log: not what a private command says, not a first word that is none, not what a file holds', async () => {
  const { owner, other, service, serverId, post, entries, share } = await logged()
  await share(other, ['access.read', 'activity.read'])
  for (const command of [
    `login ${SECRET}`,
    `/authme:register ${SECRET} ${SECRET}`,
    SECRET,
    `say hello`,
    `tell Bob ${SECRET}`,
    `tellraw Bob "${SECRET}"`,
    `title Bob actionbar "${SECRET}"`,
    `execute run tell Bob ${SECRET}`,
    `${SECRET}:op`,
    'hunter:op Bob',
  ])
    await post(owner, 'command', { command })
  await service.call(`PUT /servers/files/content/${serverId}?path=server.properties`, {
    token: owner.token,
    body: `rcon.password=${SECRET}`,
    headers: { 'Content-Type': 'application/octet-stream', 'X-Second-Factor': SECRET, Cookie: SECRET },
  })
  await post(owner, 'players/act', { action: 'kick', names: ['Bob'], reason: SECRET })
  await post(owner, 'files/folder', { path: 'a', password: SECRET })
  const exported = await service.call(`GET /servers/activity/export/${serverId}?format=json`, {
    token: owner.token,
  })
  const all = await entries(owner)
  for (const text of [
    JSON.stringify(all),
    JSON.stringify(exported.body),
    JSON.stringify(await entries(other)),
  ])
    for (const secret of ['hunter', PASSWORD, owner.token, other.token]) expect(text).not.toContain(secret)
  expect(brief(all)).toEqual(
    expect.arrayContaining([
      'console.command login refused',
      'console.command register refused',
      'console.command refused',
      'console.command say hello refused',
      'console.command tell refused',
      'console.command op Bob refused',
      'files.write server.properties done',
    ]),
  )
})

test('nothing that is called like a secret is declared to be in the log', () => {
  const fields = operations.flatMap(({ id, logged }) =>
    logged && 'field' in logged ? [`${id} ${logged.field}`] : [],
  )
  expect(fields.length).toBeGreaterThan(10)
  for (const field of fields) expect(field).not.toMatch(/password|token|code|secret|content|reason|value/i)
})

test('what is done to many at once says to how many, and whether to all of them', async () => {
  const { owner, post, entries } = await logged()
  for (const path of ['a', 'b']) await post(owner, 'files/folder', { path })
  await post(owner, 'files/delete', { paths: ['a', 'none'] })
  await post(owner, 'files/delete', { paths: ['none', 'nothing'] })
  await post(owner, 'files/delete', { paths: Array.from({ length: 30 }, (_, at) => `none${at}`) })
  const [many, failed, partly] = await entries(owner)
  expect(partly).toMatchObject({ result: 'partly', targets: ['a', 'none'], count: 2 })
  expect(failed).toMatchObject({ result: 'failed' })
  expect(many).toMatchObject({ target: 'none0', count: 30 })
  expect(many.targets).toHaveLength(10)
})

test('an archive is in the log once, with how it ended', async () => {
  const { owner, post, entries } = await logged()
  await post(owner, 'files/folder', { path: 'a' })
  await post(owner, 'files/archive', { paths: ['a'], to: 'a.zip', format: 'zip' })
  await expect
    .poll(async () => brief(await entries(owner)))
    .toEqual(expect.arrayContaining(['files.archive a.zip done']))
  expect(brief(await entries(owner)).filter((line) => line.startsWith('files.archive'))).toHaveLength(1)
})

test('who has lost access stays named, with what they did and that they were removed', async () => {
  const { owner, other, share, remove, post, entries, service, serverId } = await logged()
  await share(other, ['files.write'])
  await post(other, 'files/folder', { path: 'theirs' })
  await remove(owner, other.id)
  const [removed, theirs] = await entries(owner)
  expect(removed).toMatchObject({ action: 'access.remove', what: 'person', target: 'Ann' })
  expect(theirs).toMatchObject({ actor: { id: other.id, name: 'Ann' }, target: 'theirs' })
  const people = await service.call(`GET /servers/activity/people/${serverId}`, { token: owner.token })
  expect(people.body.items.map(({ id }: { id: string }) => id)).toContain(other.id)
})

test('addresses and emails are told to who may see with whom the server is shared, and of oneself', async () => {
  const { owner, other, third, share, invite, entries, post } = await logged()
  await share(other, ['activity.read', 'files.write'])
  await invite(owner, 'guest@example.org', ['server.read'])
  await post(other, 'files/folder', { path: 'a' })
  const [own, invited] = await entries(other)
  expect(own.address).not.toBeNull()
  expect(invited).toMatchObject({ address: null, target: 'g…@example.org' })
  await share(third, ['activity.read', 'access.read'])
  expect((await entries(third))[3]).toMatchObject({ target: 'guest@example.org' })
})

test('who declines an invitation does not tell the owner where they are', async () => {
  const { owner, other, invite, offers, answer, entries } = await logged()
  await invite(owner, other.email, ['server.read'])
  await answer(other, (await offers(other))[0].id, false)
  const [declined] = await entries(owner)
  expect(declined).toMatchObject({ action: 'access.answer', target: 'false', address: null })
})

test('the log is read in pages, by person, by area and by time', async () => {
  const clock = heldClock()
  const { owner, other, share, post, entries, read } = await logged({ clock })
  await share(other, ['files.write'])
  for (let at = 0; at < 7; at++) {
    await post(at % 2 ? owner : other, 'files/folder', { path: `f${at}` })
    clock.forward(1000)
  }
  const whole = await entries(owner)
  const found = []
  let cursor = ''
  do {
    const page = (await read(owner, `?limit=3${cursor && `&cursor=${cursor}`}`)).body
    found.push(...page.items)
    cursor = page.nextCursor
  } while (cursor)
  expect(found).toEqual(whole)
  expect(await entries(owner, `?before=${whole[4].id}`)).toEqual(whole.slice(5))
  const byOther = await entries(owner, `?actor=${other.id}&area=files`)
  expect(byOther.map(({ target }: { target: string }) => target)).toEqual(['f6', 'f4', 'f2', 'f0'])
  const since = whole[1].at
  expect(await entries(owner, `?since=${since}`)).toEqual(whole.slice(0, 2))
  expect(await entries(owner, `?until=${since}`)).toEqual(whole.slice(1))
  expect((await read(owner, '?before=nothing')).status).toBe(422)
})

test('what is refused again and again is one entry, so that nobody pushes out what others did', async () => {
  const { owner, other, share, post, entries } = await logged()
  await share(other, ['server.read'])
  for (let at = 0; at < 50; at++) await post(other, 'files/folder', { path: `f${at}` })
  const [refused, ...rest] = await entries(owner)
  expect(refused).toMatchObject({ action: 'files.folder', result: 'refused', times: 50 })
  expect(rest).toHaveLength(3)
})

test('entries are kept for 90 days', async () => {
  const clock = heldClock()
  const at = await logged({ clock })
  await at.post(at.owner, 'files/folder', { path: 'old' })
  expect(await at.entries(at.owner)).toHaveLength(2)
  clock.forward(91 * DAY)
  const signedIn = await at.service.call('POST /auth/login', {
    body: { email: at.owner.email, password: PASSWORD },
  })
  const owner = { ...at.owner, token: String(signedIn.body.token) }
  await at.post(owner, 'files/folder', { path: 'new' })
  // Swept hourly by itself, and at the start.
  await at.service.service.close(true)
  const { startTestService } = await import('../../service.fixture.ts')
  const again = await startTestService({ clock, dataDir: at.service.service.dataDir })
  const list = async () =>
    (await again.call(`GET /servers/activity/${at.serverId}`, { token: owner.token })).body.items
  await expect.poll(async () => brief(await list())).toEqual(['files.folder new done'])
})

test('the log is exported as a table and as JSON, in which no name is a formula', async () => {
  const { owner, post, service, serverId } = await logged()
  await post(owner, 'files/folder', { path: '=HYPERLINK("http://a.example";"x")' })
  const fetched = async (format: string) =>
    await fetch(`${service.baseUrl}/servers/activity/export/${serverId}?format=${format}`, {
      headers: { Authorization: `Bearer ${owner.token}` },
    })
  const csv = await fetched('csv')
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="activity.csv"')
  const lines = (await csv.text()).split('\r\n')
  expect(lines[0]).toBe('at,actor,actorId,action,target,count,times,result,reason,address')
  expect(lines[1]).toContain(`,"'=HYPERLINK(""http://a.example"";""x"")",`)
  expect(lines).toHaveLength(4)
  expect(await (await fetched('json')).json()).toHaveLength(2)
})
