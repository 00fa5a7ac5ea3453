import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from '../../contract/areas/index.ts'
import { openApiDocument } from './openapi.ts'
import { startTestService } from '../service.fixture.ts'

test('docs/openapi.json is what the declarations say (write it with: node build/scripts/openapi.ts)', () => {
  const written = JSON.parse(
    readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
  ) as unknown
  expect(written).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
})

test('it is what the service answers, from the source as built', async () => {
  const { call } = await startTestService()
  const { status, body } = await call('GET /openapi.json')
  expect(status).toBe(200)
  expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
})

test('the document is OpenAPI 3.1 and holds every operation once, with its origin', () => {
  const document = openApiDocument()
  expect(document.openapi).toBe('3.1.0')
  const found = Object.values(document.paths ?? {}).flatMap(
    (path) => Object.values(path as object) as Described[],
  )
  expect(found.map((op) => op.operationId).sort()).toEqual(operations.map((op) => op.id).sort())
  for (const op of operations) {
    const described = found.find(({ operationId }) => operationId === op.id)
    expect(described?.['x-origin']).toEqual(op.origin)
    expect(described?.security !== undefined).toBe(op.token)
  }
})

interface Described {
  operationId: string
  'x-origin': unknown
  security?: unknown
}
