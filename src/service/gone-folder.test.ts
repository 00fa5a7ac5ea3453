import { rename, symlink, unlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { NEW, openPaper } from './changes/server-changes.fixture.ts'
import { ways } from './scope-ways.fixture.ts'

test('where the folder of a server is gone, all that needs it says so; it starts again once it is back', async () => {
  const { ask, id, at, reaches, said, power, change } = await openPaper()
  await rename(at(), `${at()}.away`)
  const reads = ways.filter(({ method, path }) => method === 'GET' && !path.endsWith('/events'))
  const answers = await Promise.all(
    reads.map(async ({ name, path }) => {
      const route = path.replace(':serverId', id).replace(/:\w+/, 'none')
      const { status, body } = await ask(`GET ${route}?path=&name=a&id=paper&version=${NEW}`)
      return { name, status, code: body?.error?.code }
    }),
  )
  expect(answers.filter(({ code }) => code === 'server.folder-missing').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['files.limits', 'extensions.list', 'software.plan']),
  )
  expect(answers.filter(({ status }) => status >= 500 && status !== 501)).toEqual([])

  const lines = await said()
  for (const refused of [
    await power('start'),
    await change({ id: 'paper', version: NEW }),
    await ask(`POST /servers/reset/${id}`, { keep: [] }),
  ])
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'server.folder-missing'])
  expect((await said()).slice(lines.length)).toEqual([
    'The folder of this server is missing: it was moved or deleted, or it is on a disk that is not connected. Bring it back, then try again.',
  ])
  await rename(`${at()}.away`, at())
  await power('start')
  await reaches('online')
})

test('a service starts while the disk is not connected on which the folder of a server lies, and nothing is lost', async () => {
  const { ask, id, at, reaches, power, restart } = await openPaper()
  const disk = `${at()}.disk`
  await restart(async () => {
    await rename(at(), disk)
    await symlink(`${at()}.not-connected`, at())
  })
  expect((await ask('GET /servers')).body.items).toMatchObject([{ id, status: 'offline' }])
  expect((await power('start')).body.error?.code).toBe('server.folder-missing')
  await unlink(at())
  await symlink(disk, at())
  await power('start')
  await reaches('online')
})
