import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { type CallInput, calls } from './calls.ts'
import type { ServerRef } from './values.ts'
import type { Upload, Bridge } from './bridge.ts'

// A renderer that was taken over must not be able to name a file of this computer: whatever text it can send is named
// here, and is no such path.

/** Every field that a page fills with a text of its own, by what it is. A new one belongs here, or not into the bridge. */
const kinds = {
  id: [
    'connectionId',
    'serverId',
    'sessionId',
    'softwareId',
    'software',
    'extensionId',
    'project',
    'versionId',
    'transferId',
    'itemId',
    'userId',
    'scheduleId',
    'invitationId',
    'importId',
    'identityId',
    'scopes',
    'id',
    'ids',
    'uuid',
    'key',
    'before',
    'after',
    'cursor',
    'actor',
    'area',
    'mutedKinds',
    'mutedServers',
    'base',
    'loose',
    'servers',
    'backup',
    'backupId',
    'players',
    'targetId',
    'nodeId',
    'targets',
    'keyId',
    'databaseId',
    'portId',
  ],
  'path of a server': ['path', 'paths', 'folder', 'from', 'to'],
  name: [
    ...['name', 'names', 'email', 'version', 'build', 'java', 'archive', 'jar', 'icon', 'node', 'image'],
    // Of a place for backups, at its host.
    ...['user', 'bucket', 'container', 'prefix', 'region', 'account', 'remote'],
  ],
  text: [
    'text',
    'query',
    'command',
    'confirm',
    'reason',
    'until',
    'since',
    'etag',
    'ifMatch',
    'begins',
    'ends',
    'timeZone',
    'cron',
    'language',
    'javaArgs',
    'png',
    'leaveOut',
    'exclude',
    'take',
    'overwrite',
    'except',
    'versions',
    'title',
    'optional',
    'minecraft',
    'location',
    'note',
    // Run on a machine behind SSH.
    ...['start', 'stop', 'restart', 'line'],
    'hostKey',
  ],
  secret: ['password', 'currentPassword', 'newPassword', 'token', 'code', 'value', 'secret'],
  address: ['baseUrl', 'url', 'host', 'endpoint', 'origin', 'machine'],
}
const kindOf = new Map(
  Object.entries(kinds).flatMap(([kind, fields]) => fields.map((field) => [field, kind])),
)

interface Text {
  /** The call and the way to the field. */
  at: string
  field: string
  schema: Json
  /** Names beside it, and those above. */
  beside: string[]
}
interface Json {
  type?: string
  enum?: unknown[]
  const?: unknown
  maxLength?: number
  properties?: Record<string, Json>
  additionalProperties?: unknown
  items?: Json
  anyOf?: Json[]
  oneOf?: Json[]
  allOf?: Json[]
}

function textsOf(at: string, schema: Json, field = '', beside: string[] = []): Text[] {
  const { type, properties, items, anyOf, oneOf, allOf } = schema
  const several = anyOf ?? oneOf ?? allOf
  if (several) return several.flatMap((one) => textsOf(at, one, field, beside))
  switch (type) {
    case 'object': {
      // Every object of a generic call refuses what it does not name; of the others it is left out.
      if (!properties || schema.additionalProperties) throw new Error(`${at} takes names that nobody knows`)
      const known = [
        ...beside,
        ...Object.keys(properties),
        ...Object.keys(properties['params']?.properties ?? {}),
      ]
      return Object.entries(properties).flatMap(([name, one]) => textsOf(`${at} ${name}`, one, name, known))
    }
    case 'array':
      if (!items) throw new Error(`${at} takes a list of anything`)
      return textsOf(at, items, field, beside)
    case 'string':
      return schema.enum || schema.const !== undefined ? [] : [{ at, field, schema, beside }]
    case 'boolean':
    case 'integer':
    case 'number':
    case 'null':
      return []
    default:
      throw new Error(`${at} takes anything`)
  }
}

const texts = Object.entries(calls).flatMap(([name, { input }]) =>
  (input as z.ZodType) instanceof z.ZodUndefined
    ? []
    : textsOf(name, z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Json),
)

it('every text that a page can send is of a known kind', () => {
  expect(texts.filter(({ field }) => !kindOf.has(field)).map(({ at }) => at)).toEqual([])
  // What no call has any more does not stay allowed.
  const used = new Set(texts.map(({ field }) => field))
  expect([...kindOf.keys()].filter((field) => !used.has(field))).toEqual([])
})

/**
 * A folder for backups, or one at an SFTP server. The service makes a folder of its own in it and reads nothing else, and
 * only its owner may say where.
 */
const BACKUPS_ELSEWHERE = 'backups.add-target place path'

it('a path that a page can send is one of a server, or of files that were sent, that it names with it', () => {
  const paths = texts.filter(
    ({ at, field }) => kindOf.get(field) === 'path of a server' && at !== BACKUPS_ELSEWHERE,
  )
  expect(paths.length).toBeGreaterThan(10)
  const homes = ['serverId', 'from', 'importId']
  const homeless = paths.filter(({ beside }) => !homes.some((home) => beside.includes(home)))
  expect(homeless.map(({ at }) => at)).toEqual([])
  expect(paths.filter(({ schema }) => schema.maxLength !== 4096).map(({ at }) => at)).toEqual([])
})

it('nothing but a text of a person is as long as a path of this computer may be', () => {
  const long = texts.filter(
    ({ field, schema }) => kindOf.get(field) === 'id' && !(Number(schema.maxLength) <= 200),
  )
  expect(long.map(({ at }) => at)).toEqual([])
})

it('the way into main takes files of this computer as what a person picked, and in no other way', () => {
  expectTypeOf<keyof Bridge>().toEqualTypeOf<'call' | 'upload' | 'on' | 'onReach'>()
  expectTypeOf<Parameters<Bridge['upload']>>().toEqualTypeOf<[Upload]>()
  expectTypeOf<Upload['files'][number]>().toEqualTypeOf<{ file: File; path: string }>()
  // Main's own way to hand over paths is no call of the bridge.
  expect(Object.keys(calls).filter((name) => /upload/.test(name))).toEqual([])
  // Where main asks a person, it is told of no place here: folder and paths are those of the server.
  expectTypeOf<keyof CallInput<'computer.pick-and-send'>>().toEqualTypeOf<
    keyof ServerRef | 'folder' | 'what'
  >()
  expectTypeOf<keyof CallInput<'computer.download-to'>>().toEqualTypeOf<keyof ServerRef | 'paths'>()
  expectTypeOf<CallInput<'computer.choose-downloads'>>().toBeUndefined()
})
