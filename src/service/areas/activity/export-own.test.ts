import { expect, test } from 'vitest'
import { shared } from '../access/access.fixture.ts'

test('what an account did at servers is a part of its own data, and what others did is not', async () => {
  const { service, serverId, owner, other, share, change } = await shared()
  await share(other, ['server.read', 'files.write'])
  await service.call(`POST /servers/files/folder/${serverId}`, { token: other.token, body: { path: 'mine' } })
  await change(owner, other.id, ['server.read'])
  const refused = await service.call(`POST /servers/files/folder/${serverId}`, {
    token: other.token,
    body: { path: 'secret' },
  })
  expect(refused.status).toBe(403)
  const { body } = await service.call('GET /users/me/export', { token: other.token })
  const did = body.activity as { action: string }[]
  expect(did.map(({ action }) => action)).toEqual(['files.folder', 'files.folder', 'access.answer'])
  expect(did[1]).toEqual({
    ...{ serverId, at: expect.any(String), area: 'files', action: 'files.folder', kind: 'file' },
    ...{
      targets: ['mine'],
      count: 1,
      times: 1,
      result: 'done',
      reason: null,
      address: '127.0.0.1',
      rule: null,
    },
  })
  expect(body.activityIsComplete).toBe(true)
  expect(JSON.stringify(body)).not.toContain(owner.email)
})
