import { expect, test } from 'vitest'
import { offlineUuid } from './offline-uuid.ts'

test('the uuid of a player in offline mode is the one that Minecraft makes of the name', () => {
  // As Java's UUID.nameUUIDFromBytes makes them of `OfflinePlayer:NAME`.
  expect(offlineUuid('Notch')).toBe('b50ad385-829d-3141-a216-7e7d7539ba7f')
  expect(offlineUuid('notch')).not.toBe(offlineUuid('Notch'))
  for (const name of ['Steve', '.Rock_1', 'x'])
    expect(offlineUuid(name)).toMatch(/^[\da-f]{8}-[\da-f]{4}-3[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})
