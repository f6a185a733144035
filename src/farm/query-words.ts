/** Query parameters of lists; no field may have these names. */
export const queryWords: readonly string[] = ['page', 'limit', 'sort', 'direction', 'full', 'with', 'as_of', 'report']

/** Fields of every type shown only on request (`with`); no field may have these names. */
export const identityWords = ['uuid', 'version'] as const

/** Parameters and answers of writes and dry runs; no field may have these names. */
export const writeWords: readonly string[] = ['dry_run', 'dryrun', 'would_create']
