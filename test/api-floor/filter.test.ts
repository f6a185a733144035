import { describe, expect, test } from 'vitest'
import { type FilterCondition, type FilterGroup, filterIn, isGroup } from '../../src/doors/api/filter/filter-syntax.ts'
import { readParameters } from '../../src/doors/api/query-parameters.ts'
import { Refusal } from '../../src/refusal.ts'

const filterOf = (query: string): FilterGroup => filterIn(readParameters(`/api/log/harvest?${query}`))

const spelled = (member: FilterCondition | FilterGroup): unknown =>
  isGroup(member)
    ? [member.conjunction, ...member.members.map(spelled)]
    : `${member.path.join('/')} ${member.operator} ${member.values.join('|')}`.trim()

describe('a filter', () => {
  test.each([
    ['', ['AND']],
    ['filter[status]=done', ['AND', 'status = done']],
    ['filter[asset.id]=9b1c', ['AND', 'asset/id = 9b1c']],
    ['filter[status][]=done', ['AND', 'status = done']],
    ['filter[name]=', ['AND', 'name =']],
    ['filter[status]=done&filter[name]=x', ['AND', 'status = done', 'name = x']],
    ['filter[name][operator]=CONTAINS&filter[name][value]=bean', ['AND', 'name CONTAINS bean']],
    ['filter[t][path]=name&filter[t][operator]=STARTS_WITH&filter[t][value]=be', ['AND', 'name STARTS_WITH be']],
    [
      'filter[t][condition][path]=timestamp&filter[t][condition][operator]=%3E%3D&filter[t][condition][value]=1717200000',
      ['AND', 'timestamp >= 1717200000'],
    ],
    [
      'filter[t][condition][path]=timestamp&filter[t][condition][operator]=>=&filter[t][condition][value]=2026-01-01T00:00:00Z',
      ['AND', 'timestamp >= 2026-01-01T00:00:00Z'],
    ],
    [
      'filter[name_>][condition][path]=name&filter[name_>][condition][operator]=>&filter[name_>][condition][value][]=x',
      ['AND', 'name > x'],
    ],
    [
      'filter[a][condition][path]=asset.id&filter[a][condition][operator]=IN&filter[a][condition][value][0]=u1&filter[a][condition][value][1]=u2',
      ['AND', 'asset/id IN u1|u2'],
    ],
    [
      'filter[a][condition][path]=asset.id&filter[a][condition][operator]=NOT+IN&filter[a][condition][value][]=u1&filter[a][condition][value][]=u2',
      ['AND', 'asset/id NOT IN u1|u2'],
    ],
    ['filter[id][operator]=IN&filter[id][value]=u1', ['AND', 'id IN u1']],
    [
      'filter[notes-filter][condition][path]=notes.value&filter[notes-filter][condition][operator]=IS%20NULL',
      ['AND', 'notes/value IS NULL'],
    ],
    ['filter[asset][operator]=IS+NOT+NULL&filter[asset][value]=', ['AND', 'asset IS NOT NULL']],
    ['filter[t][operator]=BETWEEN&filter[t][value][]=1&filter[t][value][]=2', ['AND', 't BETWEEN 1|2']],
    ['filter[asset.0.id]=u', ['AND', 'asset/id = u']],
    ['filter[asset.meta.drupal_internal__target_id]=4', ['AND', 'asset/drupal_internal__target_id = 4']],
    ['filter[asset.0.meta.drupal_internal__target_id]=4', ['AND', 'asset/drupal_internal__target_id = 4']],
    ['filter[x][condition][path]=a&filter[x][condition][value]=1&filter[x][condition][value]=2', ['AND', 'a = 2']],
    [
      'filter[g][group][conjunction]=OR&filter[a][condition][path]=a&filter[a][condition][value]=1&filter[a][condition][memberOf]=g&filter[b][path]=b&filter[b][value]=2&filter[b][memberOf]=g&filter[c]=3',
      ['AND', ['OR', 'a = 1', 'b = 2'], 'c = 3'],
    ],
    [
      'filter[g][group][conjunction]=OR&filter[g2][group][conjunction]=AND&filter[g2][group][memberOf]=g&filter[a][value]=1&filter[a][memberOf]=g2&filter[b][value]=2&filter[b][memberOf]=g',
      ['AND', ['OR', ['AND', 'a = 1'], 'b = 2']],
    ],
    [
      'filter[g][group][conjunction]=OR&filter[g2][group][conjunction]=AND&filter[g2][condition][memberOf]=g&filter[a][value]=1&filter[a][memberOf]=g2',
      ['AND', ['OR', ['AND', 'a = 1']]],
    ],
    ['filter[g][group][conjunction]=OR&filter[a]=1', ['AND', 'a = 1']],
    ['filter[a][value]=1&filter[a][memberOf]=@root', ['AND', 'a = 1']],
    ['filter[__proto__]=1&filter[constructor]=2', ['AND', '__proto__ = 1', 'constructor = 2']],
  ])('reads the query "%s" as its tree of conditions', (query, tree) => {
    expect(spelled(filterOf(query))).toEqual(tree)
  })

  test.each([
    ['filter=done', 'filter'],
    ['filter[a][operator]=LIKE&filter[a][value]=x', 'filter[a][operator]'],
    ['filter[a][operator]=contains&filter[a][value]=x', 'filter[a][operator]'],
    ['filter[a][operator]=toString&filter[a][value]=x', 'filter[a][operator]'],
    ['filter[a][operator]=>', 'filter[a][value]'],
    ['filter[a][operator]=>&filter[a][value][]=1&filter[a][value][]=2', 'filter[a][value]'],
    ['filter[a][]=1&filter[a][]=2', 'filter[a]'],
    ['filter[a][operator]=BETWEEN&filter[a][value]=1', 'filter[a][value]'],
    ['filter[a][operator]=IN', 'filter[a][value]'],
    ['filter[a][operator]=IS+NULL&filter[a][value]=1', 'filter[a][value]'],
    ['filter[a][value][][x]=1', 'filter[a][value]'],
    ['filter[a][condition][value]=1', 'filter[a][condition][path]'],
    ['filter[a][condition][path]=x', 'filter[a][condition][value]'],
    ['filter[a][condition]=1', 'filter[a][condition]'],
    ['filter[a][condition][path]=x&filter[a][condition][value]=1&filter[a][value]=1', 'filter[a][value]'],
    ['filter[a][colour]=1', 'filter[a][colour]'],
    ['filter[a..b]=1', 'filter[a..b]'],
    ['filter[a][path]=&filter[a][value]=1', 'filter[a][path]'],
    ['filter[a][value]=1&filter[a][memberOf]=g', 'filter[a][memberOf]'],
    ['filter[b]=1&filter[a][value]=1&filter[a][memberOf]=b', 'filter[a][memberOf]'],
    ['filter[g][group]=OR', 'filter[g][group]'],
    ['filter[g][group][conjunction]=XOR', 'filter[g][group][conjunction]'],
    ['filter[g][group][memberOf]=g', 'filter[g][group][conjunction]'],
    ['filter[g][group][conjunction]=OR&filter[g][condition][path]=a', 'filter[g][condition][path]'],
    ['filter[g][group][conjunction]=OR&filter[g][group][memberOf]=g', 'filter[g][group][memberOf]'],
    [
      'filter[g][group][conjunction]=OR&filter[g][group][memberOf]=h&filter[h][group][conjunction]=OR&filter[h][group][memberOf]=g',
      'filter[h][group][memberOf]',
    ],
  ])('%s is refused', (query, parameter) => {
    try {
      filterOf(query)
      expect.unreachable()
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      expect([thrown.status, thrown.details.faults?.[0]?.field]).toEqual([400, parameter])
    }
  })

  const nested = (levels: number) =>
    [...Array(levels).keys()]
      .map((n) => `filter[g${n}][group][conjunction]=OR${n === 0 ? '' : `&filter[g${n}][group][memberOf]=g${n - 1}`}`)
      .join('&')

  test('has groups down to a depth, and a number of conditions', () => {
    const inner = (levels: number) => `${nested(levels)}&filter[a][value]=1&filter[a][memberOf]=g${levels - 1}`
    expect(JSON.stringify(spelled(filterOf(inner(31))))).toContain(`${'["OR",'.repeat(31)}"a = 1"`)
    expect(() => filterOf(inner(32))).toThrow(/32 levels/)
    const many = (count: number) => [...Array(count).keys()].map((n) => `filter[a${n}]=1`).join('&')
    expect(filterOf(many(100)).members).toHaveLength(100)
    expect(() => filterOf(many(101))).toThrow(/100 conditions/)
  })
})
