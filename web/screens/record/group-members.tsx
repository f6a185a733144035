import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { medicalBundle } from '../../../src/farm/bundle-names.ts'
import { SearchField } from '../../look/find-field.tsx'
import { Icon } from '../../look/icon.tsx'
import { iconOfAsset } from '../../look/icon-of.ts'
import { pageOf } from '../../look/link.tsx'
import { Row, Section } from '../../look/list.tsx'
import { choiceLabel, dotted, flagsOf } from '../../look/names.ts'
import { Title } from '../../look/page.tsx'
import { useLogs } from '../../look/use-logs.ts'
import { assets } from '../../store/local-copy.ts'
import { folded, idsIn, type LocalRecord, tagsOf } from '../../store/record.ts'
import { headOf, membersOf, placesOf } from '../../store/stays.ts'
import { year } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { byName, useFirstBeside, Windowed } from '../long-list.tsx'
import { nameOfArea } from './facts.tsx'
import { planWords } from './log-words.ts'
import { kindOfAsset } from './record-rows.tsx'

/** Members of a group; those that need attention first. */
export function GroupMembers({ group }: { readonly group: LocalRecord }): JSX.Element {
  const [wanted, setWanted] = useState('')
  const care = useLogs({ bundles: [medicalBundle], done: false, limit: 200 }) ?? []
  const all = membersOf(group.id)
    .flatMap(({ asset }) => assets.value.get(asset) ?? [])
    .sort(byName)
  const members = all.filter((member) => isCalled(member, wanted))
  const needy = members.flatMap((member) => {
    const why = reasonToLook(member, care)
    return why === undefined ? [] : [{ member, why }]
  })
  useFirstBeside(all.length > 0 ? all : [group])
  useEffect(showChosen, [])
  return (
    <>
      <Head group={group} count={all.reduce((sum, member) => sum + headOf(member), 0)}>
        <SearchField label={say('group.find')} text={wanted} onText={setWanted} />
      </Head>
      {needy.length > 0 && (
        <Section title={say('group.needs-an-eye')}>
          {needy.map(({ member, why }) => (
            <MemberRow member={member} second={why} key={member.uuid} />
          ))}
        </Section>
      )}
      <Windowed items={members} key={wanted}>
        {(some, first) => (
          <Section title={first === 0 ? say('group.all') : ''}>
            {some.map((member) => (
              <MemberRow member={member} second={aboutMember(member)} key={member.uuid} />
            ))}
          </Section>
        )}
      </Windowed>
    </>
  )
}

interface HeadProps {
  readonly group: LocalRecord
  readonly count: number
  readonly children: ComponentChildren
}

function Head({ group, count, children }: HeadProps): JSX.Element {
  return (
    <div class="head">
      <Title text={group.name}>
        <bdi>{group.name}</bdi>
      </Title>
      <p>{howManyWhere(group, count)}</p>
      {children}
    </div>
  )
}

function showChosen(): void {
  document.querySelector('.pane .row[aria-current]')?.scrollIntoView({ block: 'nearest' })
}

function MemberRow({ member, second }: { readonly member: LocalRecord; readonly second: string }): JSX.Element {
  return (
    <Row
      to={pageOf(member)}
      margin={<Icon name={iconOfAsset(member)} />}
      title={<bdi>{member.name}</bdi>}
      second={second}
    />
  )
}

function howManyWhere({ id }: LocalRecord, count: number): string {
  const [stay] = placesOf(id)
  return stay?.placeType === 'area' && stay.place !== null
    ? say('group.in', { count, place: nameOfArea(stay.place) })
    : say('group.members', { count })
}

function isCalled(member: LocalRecord, wanted: string): boolean {
  return [member.name, ...tagsOf(member)].some((name) => folded(name).includes(folded(wanted)))
}

/** A flag, or a current treatment. */
function reasonToLook(member: LocalRecord, care: readonly LocalRecord[]): string | undefined {
  const next = care.findLast(({ fields }) => idsIn(fields.asset).includes(member.id))
  const flags = flagsOf(member).map((flag) => choiceLabel('flags', flag))
  const words = dotted([...flags, next?.name, next && planWords(next)?.words])
  return words === '' ? undefined : words
}

function aboutMember(member: LocalRecord): string {
  const born = Number(member.fields.date ?? 0)
  return dotted([kindOfAsset(member), born === 0 ? undefined : say('group.born', { year: year(born) })])
}
