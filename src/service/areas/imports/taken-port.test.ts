import { expect, it } from 'vitest'
import { movedServer, PORT, zipOf } from '../../../../tests/fixtures/moved-server.ts'
import { openImports } from './imports.fixture.ts'

it('a port that is taken is refused with the next one, and what was sent is still there', async () => {
  const { sent, create } = await openImports()
  const one = await sent(await zipOf(await movedServer()))
  expect((await create(one.id, { port: PORT })).status).toBe(201)
  const other = await sent(await zipOf(await movedServer()))
  expect(other.found).toMatchObject({ port: PORT, freePort: expect.any(Number) })
  expect(other.found.freePort).not.toBe(PORT)
  const refused = await create(other.id, { port: PORT })
  expect(refused.body.error).toMatchObject({
    code: 'server.port-taken',
    fields: { port: [expect.any(String)] },
  })
  expect((await create(other.id, { port: other.found.freePort })).status).toBe(201)
})
