/** The `error.code` of what needs the code of a second factor that was not sent, and of one that is wrong or was used. */
export const SECOND_FACTOR_ASKED = 'auth.second-factor'
export const SECOND_FACTOR_WRONG = 'auth.second-factor-wrong'
