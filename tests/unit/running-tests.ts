import path from 'node:path'
import ts from 'typescript'

/** Files that the runners collect: vitest.config.ts and playwright.config.ts. */
const COLLECTED = ['src/**/*.test.ts', 'build/**/*.test.ts', 'tests/**/*.test.ts', 'tests/e2e/**/*.spec.ts']
const TESTS = new Set(['test', 'it'])
const GROUPS = new Set(['describe', 'suite'])
/** What makes a test of a name none that has to pass. */
const PASSED_OVER = new Set(['skip', 'todo', 'fails', 'fixme', 'fail'])
/** What a body calls to skip its own test. */
const SKIPS_ITSELF = new Set(['skip', 'fixme'])
const CONDITIONS = new Map([
  ['skipIf', false],
  ['runIf', true],
])

/**
 * Why a test of this name does not run here, by what its file says; null where it does: it is called when the file is
 * collected, and neither it nor a group around it is skipped.
 */
export function whyNotRun(file: string, text: string, name: string): string | null {
  if (!COLLECTED.some((pattern) => path.matchesGlob(file, pattern))) return 'no runner collects its file'
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const calls: ts.CallExpression[] = []
  let only: string | null = null
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && declared(node)) {
      if (membersOf(node).some(({ member }) => member === 'only')) only = 'its file runs others alone (.only)'
      const [title] = node.arguments
      if (
        title &&
        ts.isStringLiteralLike(title) &&
        untagged(title.text) === name &&
        TESTS.has(rootOf(node) ?? '')
      )
        calls.push(node)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  if (calls.length === 0) return 'no test of this name is called in its file'
  const whys = calls.map(whyHidden)
  return only ?? (whys.includes(null) ? null : (whys[0] ?? null))
}

function whyHidden(call: ts.CallExpression): string | null {
  const skipped = whySkipped(call) ?? whySkippedWithin(call)
  if (skipped) return skipped
  for (let node: ts.Node = call; !ts.isSourceFile(node.parent); node = node.parent) {
    const { parent } = node
    if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent))
      return 'it is called only under a condition'
    if (ts.isBinaryExpression(parent) && parent.operatorToken.kind !== ts.SyntaxKind.CommaToken)
      return 'it is called only under a condition'
    if (!ts.isFunctionLike(parent)) continue
    const around = parent.parent
    if (!ts.isCallExpression(around)) return 'it stands in a function that nobody need call'
    if (GROUPS.has(rootOf(around) ?? '')) {
      const why = whySkipped(around)
      if (why) return why
    } else if (!isLoop(around)) return 'it stands in a function that nobody need call'
  }
  return null
}

/** A title without the tags that journeys are chosen by, such as ` @browser`. */
const untagged = (title: string): string => title.replace(/( @\w+)+$/, '')

/** `list.forEach(…)`, in which tests are made of a list. */
const isLoop = ({ expression }: ts.CallExpression): boolean =>
  ts.isPropertyAccessExpression(expression) && expression.name.text === 'forEach'

/** Whether this calls a test or a group with its title, and not only `test.each(…)`. */
const declared = (call: ts.CallExpression): boolean => {
  const root = rootOf(call) ?? ''
  return TESTS.has(root) || GROUPS.has(root)
}

/** The name that a chain such as `describe.skipIf(a).each(b)` begins with. */
function rootOf(node: ts.Expression): string | null {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return rootOf(node.expression)
  return ts.isTaggedTemplateExpression(node) ? rootOf(node.tag) : null
}

interface Member {
  member: string
  given: readonly ts.Expression[]
}

/** What stands behind the name that a chain begins with, and what each is given. */
function membersOf(node: ts.Expression, given: readonly ts.Expression[] = []): Member[] {
  if (ts.isCallExpression(node)) return membersOf(node.expression, node.arguments)
  if (ts.isTaggedTemplateExpression(node)) return membersOf(node.tag)
  if (!ts.isPropertyAccessExpression(node)) return []
  return [...membersOf(node.expression), { member: node.name.text, given }]
}

function whySkipped(call: ts.CallExpression): string | null {
  for (const { member, given } of membersOf(call)) {
    if (PASSED_OVER.has(member)) return `it is passed over (.${member})`
    const runs = CONDITIONS.get(member)
    if (runs === undefined) continue
    const holds = given[0] ? valueHere(given[0]) : null
    if (holds !== runs) return `it is skipped here, or nobody knows whether (.${member})`
  }
  const [, second] = call.arguments
  const options = second && ts.isObjectLiteralExpression(second) ? second.properties : []
  const skips = options.some((one) => PASSED_OVER.has(one.name?.getText() ?? ''))
  return skips ? 'it is passed over by its options' : null
}

/** A body that skips itself: `test.skip(…)` of Playwright, `context.skip()` of Vitest. */
function whySkippedWithin(call: ts.CallExpression): string | null {
  let why: string | null = null
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ((ts.isPropertyAccessExpression(node.expression) && SKIPS_ITSELF.has(node.expression.name.text)) ||
        (ts.isIdentifier(node.expression) && node.expression.text === 'skip'))
    ) {
      const [condition] = node.arguments
      if (!condition || valueHere(condition) !== false) why = 'it skips itself'
    }
    ts.forEachChild(node, visit)
  }
  for (const one of call.arguments) if (ts.isFunctionLike(one)) visit(one)
  return why
}

/** What a condition about the platform comes to here; null for any other. */
function valueHere(node: ts.Expression): boolean | null {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  const compared = /^process\.platform (===|!==) '(\w+)'$/.exec(node.getText())
  return compared && (process.platform === compared[2]) === (compared[1] === '===')
}
