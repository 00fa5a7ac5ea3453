import { describe, expect, it } from 'vitest'
import { fileInUse } from './files-in-use.ts'

describe('what a running server uses', () => {
  it('is its world by the name in its settings, with its dimensions and what is written in them', () => {
    for (const path of ['maps', 'maps/main', 'maps/main_nether', 'maps/main/region', 'maps/main/level.dat'])
      expect(fileInUse([path], './maps\\main'), path).toEqual({ kind: 'world', path })
    expect(fileInUse(['maps/main/DIM-1/region/r.0.0.mca'], 'maps/main')?.kind).toBe('world')
    expect(fileInUse(['World'], 'world')?.kind).toBe('world')
  })

  it('is the folders of its plugins and mods, and its jar', () => {
    for (const path of ['plugins', 'mods', 'libraries', 'server.jar', 'Paper.JAR'])
      expect(fileInUse([path], 'world'), path).toEqual({ kind: 'program', path })
  })

  it('is the world first, where both would be deleted', () => {
    expect(fileInUse(['logs', 'plugins', 'world'], 'world')).toEqual({ kind: 'world', path: 'world' })
  })

  it('is nothing else, such as a player’s data or the world of another time', () => {
    const paths = ['world/playerdata/a.dat', 'world/datapacks/a.zip', 'world2', 'plugins/Shop.jar', 'logs']
    expect(fileInUse(paths, 'world')).toBeNull()
  })
})
