import { useState } from 'react'
import { Card } from '../../ui/card'
import { Segmented } from '../../ui/segmented'
import { Switch } from '../../ui/switch'
import { Tabs } from '../../ui/tabs'
import { Group, Row, Specimen } from './specimen'

const modes = [
  { value: 'local', label: 'Local' },
  { value: 'cloud', label: 'Cloud' },
] as const
const modesWithDisabled = [modes[0], { ...modes[1], disabled: true }] as const
const tabs = [
  { id: 'general', label: 'General' },
  { id: 'security', label: 'Security' },
  { id: 'credits', label: 'Credits' },
  { id: 'support', label: 'Support' },
] as const

export function ChoiceSpecimens() {
  const [isOn, setIsOn] = useState(true)
  const [mode, setMode] = useState<(typeof modes)[number]['value']>('local')
  const [tab, setTab] = useState<(typeof tabs)[number]['id']>('general')
  return (
    <Group title="Switch, segmented, tabs">
      <Row>
        <Specimen name="switch">
          <Switch label="Web search" checked={isOn} onChange={setIsOn} />
        </Specimen>
        <Specimen name="other way">
          <Switch label="Web search, reversed" checked={!isOn} onChange={(checked) => setIsOn(!checked)} />
        </Specimen>
        <Specimen name="focus" show="focus">
          <Switch label="Web search in focus" checked onChange={() => undefined} />
        </Specimen>
        <Specimen name="disabled">
          <Switch label="Web search, disabled" checked disabled onChange={() => undefined} />
        </Specimen>
        <Specimen name="disabled, off">
          <Switch label="Web search, disabled and off" checked={false} disabled onChange={() => undefined} />
        </Specimen>
      </Row>
      <Row>
        <Specimen name="segmented">
          <Segmented label="Storage mode" value={mode} options={modes} onChange={setMode} />
        </Specimen>
        <Specimen name="an option disabled">
          <Segmented label="Storage mode" value="local" options={modesWithDisabled} onChange={() => undefined} />
        </Specimen>
      </Row>
      <Tabs label="Settings" tabs={tabs} selected={tab} onSelect={setTab}>
        <Card style={{ marginTop: 16 }}>The page “{tabs.find(({ id }) => id === tab)?.label}” in a card.</Card>
      </Tabs>
    </Group>
  )
}
