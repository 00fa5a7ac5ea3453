// @ts-check

/** The checks in their order, so that those not reached are listed too. A test keeps tests/electron/checks.ts equal. */
export const checked = [
  'scheme',
  'page without Node',
  'preload',
  'keychain child',
  'service child',
  'file hand-over',
  'tray',
  'notifications',
  'updates',
]

/**
 * The rows of a report as a table that can be pasted into an issue.
 * @param {string} report a row of JSON per line; the last one may be half a row
 * @param {{ platform: string, arch: string, release: string }} system
 * @returns {{ text: string, works: boolean }} whether nothing failed
 */
export function checkTable(report, { platform, arch, release }) {
  const rows = new Map(report.split('\n').flatMap((line) => rowOf(line) ?? []))
  const lines = checked.map((name) => {
    const { outcome, said, ms } = rows.get(name) ?? {
      outcome: 'not reached',
      said: 'Electron ended before',
      ms: null,
    }
    return `| ${name} | ${outcome} | ${cell(said)} | ${ms === null ? '' : `${ms} ms`} |`
  })
  const works = checked.every((name) => ['works', 'not-here'].includes(rows.get(name)?.outcome ?? ''))
  const head = [
    `${platform} ${release}, ${arch}`,
    '',
    '| what | outcome | seen | took |',
    '| --- | --- | --- | --- |',
  ]
  return { text: [...head, ...lines].join('\n'), works }
}

/** @param {string} line @returns {[[string, { outcome: string, said: string, ms: number | null }]] | null} */
function rowOf(line) {
  try {
    const { name, outcome, said, ms } = JSON.parse(line)
    return [[String(name), { outcome: String(outcome), said: String(said), ms: Number(ms) }]]
  } catch {
    return null
  }
}

/** @param {string} text what may hold anything, in one cell */
const cell = (text) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 300)
