/** Error codes for a missing code, and for a wrong or used one. */
export const SECOND_FACTOR_ASKED = 'auth.second-factor'
export const SECOND_FACTOR_WRONG = 'auth.second-factor-wrong'
