import { describe, expect, it } from 'vitest'
import { languageOf } from './languages.ts'

describe('the language of a file', () => {
  it.each([
    ['server.properties', 'properties'],
    ['plugins/Essentials/config.YML', 'yaml'],
    ['ops.json', 'json'],
    ['pack.mcmeta', 'json'],
    ['config/paper.toml', 'toml'],
    ['log4j2.xml', 'xml'],
    ['logs/latest.log', 'log'],
    ['eula.txt', 'text'],
    ['.env', 'properties'],
    ['yml/readme', 'text'],
    ['世界/ملف.yaml', 'yaml'],
  ])('%s is %s', (path, language) => {
    expect(languageOf(path)).toBe(language)
  })
})
