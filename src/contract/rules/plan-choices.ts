/** Characters per kind of choice in an extension plan: more doesn't fit in a URL. */
export const PLAN_CHOICES_MOST = 5000
