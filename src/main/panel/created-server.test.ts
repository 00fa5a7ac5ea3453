import { expect, it } from 'vitest'
import { answerJson, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import { panelAt } from './panel.fixture.ts'

const body = { name: 'New', software: { id: 'demo', version: '1' }, memoryMb: 512 }
const answer =
  (value: unknown, status = 200): OddAnswer =>
  (_request, response) =>
    answerJson(response, value, status)
const refusal = (status: number, code: string) => answer({ error: { code, message: 'No.' } }, status)

const read = answer({ id: 'n1', name: 'New', status: 'offline' })
const created = answer({ id: 'n1', name: 'New' }, 201)

it.each([
  ['gives no list', refusal(404, 'route.unknown'), 'absent'],
  ['forbids its list', refusal(403, 'denied'), 'forbidden'],
] as const)('a server that is created at a service which %s can be reached', async (_what, list, byId) => {
  const { send, view, connectionId } = await panelAt({
    ...{ 'GET /servers': list, 'POST /servers': created, 'GET /servers/n1': read },
  })
  expect(await send('servers.create', { connectionId, body })).toMatchObject({ id: 'n1' })
  const { value } = await view('servers.list', { connectionId })
  expect(value).toMatchObject({ byId, items: [{ id: 'n1', name: 'New', status: 'offline' }] })
})

it('a server that is created at a service which lists it is added to no other list', async () => {
  const { send, view, connectionId, routes } = await panelAt({
    ...{ 'GET /servers': answer({ items: [{ id: 'n1', name: 'New' }], nextCursor: null }) },
    ...{ 'POST /servers': created, 'GET /servers/n1': read },
  })
  await send('servers.create', { connectionId, body })
  routes['GET /servers'] = refusal(404, 'route.unknown')
  const { value, problem } = await view('servers.list', { connectionId }, true)
  expect(problem).not.toBeNull()
  expect(value).not.toHaveProperty('byId')
})

it('a service that answers a creation with nothing is believed', async () => {
  const { send, connectionId } = await panelAt({
    'GET /servers': refusal(404, 'route.unknown'),
    'POST /servers': (_request, response) => void response.writeHead(204).end(),
  })
  expect(await send('servers.create', { connectionId, body })).toBeNull()
})
