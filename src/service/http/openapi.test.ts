import { expect, test } from 'vitest'
import { operations, servedOperations } from '../../contract/areas/index.ts'
import { openApiDocument } from './openapi.ts'
import { startTestService } from '../service.fixture.ts'

test('the service serves the document of what it serves, from the source and as built', async () => {
  const { call } = await startTestService()
  const { status, body } = await call('GET /openapi.json')
  expect(status).toBe(200)
  expect(body).toEqual(JSON.parse(JSON.stringify(await openApiDocument(servedOperations))))
})

test('the document is OpenAPI 3.1 and holds every operation once, with its origin', async () => {
  const document = await openApiDocument(operations)
  expect(document.openapi).toBe('3.1.0')
  const found = Object.values(document.paths ?? {}).flatMap(
    (path) => Object.values(path as object) as OperationDescription[],
  )
  expect(found.map((op) => op.operationId).sort()).toEqual(operations.map((op) => op.id).sort())
  for (const op of operations) {
    const described = found.find(({ operationId }) => operationId === op.id)
    expect(described?.['x-origin']).toEqual(op.origin)
    expect(described?.security !== undefined).toBe(op.token)
  }
})

test('what the document refers to is in it, and so is every parameter of a path', async () => {
  const document = JSON.parse(JSON.stringify(await openApiDocument(operations))) as Document
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, to = '']) => to)
  expect(references.length).toBeGreaterThan(0)
  const lost = references.filter((to) => to.split('/').reduce(within, document) === undefined)
  expect(lost).toEqual([])
  for (const [path, methods] of Object.entries(document.paths))
    for (const { operationId, parameters = [] } of Object.values(methods)) {
      const described = parameters.filter((one) => one.in === 'path' && one.required).map(({ name }) => name)
      expect(described, operationId).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    }
})

const within = (value: unknown, name: string): unknown =>
  (value as Record<string, unknown> | undefined)?.[name]

interface Document {
  paths: Record<string, Record<string, OperationDescription>>
}

interface OperationDescription {
  parameters?: { in: string; name: string; required?: boolean }[]
  operationId: string
  'x-origin': unknown
  security?: unknown
}
