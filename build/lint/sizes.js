// @ts-check
// How large a file and a function may be, as a rule of the linter.
import path from 'node:path'
import { exceptions } from './size-exceptions.js'

/** Most lines of a file and of a function. */
const FILE_MOST = 350
const FUNCTION_MOST = 80

/** Whether a function is the body of a `describe`: a list of tests is long by itself. @param {any} node */
function isListOfTests({ parent }) {
  if (parent?.type !== 'CallExpression') return false
  let { callee } = parent
  // describe.each(…)(…), describe.skip(…), and test.describe(…) of the journeys
  while (callee.type !== 'Identifier') {
    if (callee.type === 'MemberExpression')
      callee = callee.property.name === 'describe' ? callee.property : callee.object
    else if (callee.type === 'CallExpression') callee = callee.callee
    else if (callee.type === 'TaggedTemplateExpression') callee = callee.tag
    else return false
  }
  return callee.name === 'describe'
}

/** @type {import('eslint').Rule.RuleModule} */
const rule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const file = path.relative(context.cwd, context.filename).replaceAll(path.sep, '/')
    const excepted = exceptions[file] ?? {}
    let longest = 0
    /** @param {any} node */
    const check = (node) => {
      if (isListOfTests(node)) return
      const lines = node.loc.end.line - node.loc.start.line + 1
      longest = Math.max(longest, lines)
      const most = excepted.function ?? FUNCTION_MOST
      if (lines <= most) return
      const message = `This function has ${lines} lines, and may have ${most}. It is several.`
      context.report({ loc: node.loc.start, message })
    }
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
      'Program:exit'() {
        const loc = { line: 1, column: 0 }
        // Without the empty one behind the last line's end.
        const lines = context.sourceCode.lines.length - (context.sourceCode.text.endsWith('\n') ? 1 : 0)
        const most = excepted.file ?? FILE_MOST
        if (lines > most) {
          const message = `This file has ${lines} lines, and may have ${most}. It is several.`
          context.report({ loc, message })
        }
        const isWithin = {
          file: excepted.file !== undefined && lines <= FILE_MOST,
          function: excepted.function !== undefined && longest <= FUNCTION_MOST,
        }
        for (const of of /** @type {const} */ (['file', 'function'])) {
          if (!isWithin[of]) continue
          const message = `Take the ${of} of this file out of build/lint/size-exceptions.js: it is within the bounds again.`
          context.report({ loc, message })
        }
      },
    }
  },
}

/** @type {import('eslint').Linter.Config} */
export const sizesConfig = {
  files: ['src/**/*.{ts,svelte}', 'tests/**/*.ts', 'build/**/*.{ts,js}'],
  plugins: { sizes: { rules: { bounds: rule } } },
  rules: { 'sizes/bounds': 'error' },
}
