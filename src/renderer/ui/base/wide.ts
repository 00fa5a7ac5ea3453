/** As `--breakpoint-wide` of the theme, which a media query cannot read. */
const WIDE = '66rem'

export const IS_WIDE = `(width >= ${WIDE})`
export const IS_NARROW = `(width < ${WIDE})`
