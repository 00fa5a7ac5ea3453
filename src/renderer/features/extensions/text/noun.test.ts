import { expect, it } from 'vitest'
import type { Server } from '../../../../contract/bridge/values.ts'
import { fitsOf } from './noun.ts'

const fits = (software: NonNullable<Server['software']> | null) => fitsOf({ id: 's', name: 'S', software })

it.each(['quilt', 'forge', 'paper'])(
  'nobody searches what fits %s of a version that is not known: the catalogs would have nothing for it',
  (loadsAs) => {
    expect(fits({ id: 'custom', version: 'unknown', loadsAs })).toBeNull()
    expect(fits({ id: 'custom', version: '1.21.4', loadsAs })).toEqual({
      software: loadsAs,
      version: '1.21.4',
    })
  },
)

it.each(['velocity', 'waterfall', 'bungeecord'])('what fits %s is known whatever its version', (loadsAs) => {
  expect(fits({ id: 'custom', version: 'unknown', loadsAs })).toEqual({
    software: loadsAs,
    version: 'unknown',
  })
})

it('of a server whose software is not known, nobody knows what fits', () => {
  expect([fits(null), fits({ id: 'paper' })]).toEqual([null, null])
})
