/** Query parameters of lists; no field may have these names. */
export const queryWords: readonly string[] = ['page', 'limit', 'sort', 'direction', 'full', 'with', 'as_of', 'report']

/** Fields of every type shown only on request (`with`); no field may have these names. */
export const identityWords = ['uuid', 'version'] as const

/** Words that the interface took later: no new field is called so. A module that has such a field keeps it, and its operator is told. */
export const laterWords: readonly string[] = ['withheld', 'leaves']

/** Parameters and answers of writes and dry runs; no field may have these names. */
export const writeWords: readonly string[] = ['dry_run', 'dryrun', 'would_create']
