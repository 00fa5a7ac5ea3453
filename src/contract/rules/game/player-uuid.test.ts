import { expect, test } from 'vitest'
import { asUuid } from './player-uuid.ts'

test('a uuid is compared in one form, however it is written', () => {
  const uuid = 'b50ad385-829d-3141-a216-7e7d7539ba7f'
  for (const written of [uuid, uuid.toUpperCase(), uuid.replaceAll('-', '')])
    expect(asUuid(written)).toBe(uuid)
  for (const none of ['', 'Steve', `${uuid}0`, uuid.slice(1), uuid.replace('b', 'g')])
    expect(asUuid(none)).toBe(null)
})
