import { useId } from "react";
import { SelectField, TextField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { formatStorage } from "@/lib/domain/format";
import { imagesFor, type LaunchOffers, type Offer } from "@/lib/domain/intents/preflight";
import type { Draft } from "./launch-panel";

type Props = {
  offers: LaunchOffers;
  offer: Offer | undefined;
  draft: Draft;
  errors: Record<string, string>;
  onChange: (part: Partial<Draft>) => void;
};

/** Where it runs, what is on it, who reaches it, and whose it is. */
export function LaunchFields({ offers, offer, draft, errors, onChange }: Props) {
  const regions = offer?.regions ?? [];
  const others = offers.regions.filter(({ name }) => !regions.some((region) => region.name === name));
  const filesystems = offers.filesystems.filter(({ region }) => region === draft.region);
  return (
    <>
      <Panel title="2. Place, software and access">
        <div className="launch-fields">
          <SelectField
            label="Region"
            value={draft.region}
            error={errors.region}
            onChange={(event) => onChange({ region: event.target.value })}
          >
            {draft.region === "" && <option value="">Choose a region</option>}
            {regions.map((region) => (
              <option key={region.name} value={region.name}>
                {region.name}
                {region.isListed ? "" : " (no capacity now)"}
              </option>
            ))}
            {others.map((region) => (
              <option key={region.name} value={region.name}>
                {region.name} (not listed for this type)
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Image"
            value={draft.imageFamily ?? ""}
            error={errors.imageFamily}
            onChange={(event) => onChange({ imageFamily: event.target.value || null })}
          >
            <option value="">Lambda’s default for this machine</option>
            {imagesFor(offer, draft.region, offers).map((image) => (
              <option key={image.family} value={image.family}>
                {image.name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="SSH key"
            value={draft.sshKeyName}
            error={errors.sshKeyName}
            onChange={(event) => onChange({ sshKeyName: event.target.value })}
          >
            <option value="">Choose a key</option>
            {offers.sshKeys.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="File system"
            hint={filesystems.length === 0 ? `None in ${draft.region || "this region"}` : "Kept when the instance ends"}
            value={draft.fileSystemName ?? ""}
            error={errors.fileSystemName}
            onChange={(event) => onChange({ fileSystemName: event.target.value || null })}
          >
            <option value="">None; the local disk is lost at the end</option>
            {filesystems.map(({ name, bytesUsed }) => (
              <option key={name} value={name}>
                {name}
                {bytesUsed === null ? "" : `, ${formatStorage(bytesUsed)}`}
              </option>
            ))}
          </SelectField>
        </div>
      </Panel>
      <Panel title="3. Name and owner" sub="cost and alerts go by them">
        <div className="launch-fields">
          <TextField
            label="Name"
            value={draft.name}
            maxLength={55}
            spellCheck={false}
            autoCapitalize="off"
            hint="Letters, digits, dots, dashes; the mark of the launch is added."
            error={errors.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
          <SelectField
            label="Workload"
            value={draft.workload}
            hint="Rules on utilisation go by it."
            onChange={(event) =>
              onChange({ workload: WORKLOADS.find((known) => known === event.target.value) ?? "unknown" })
            }
          >
            {WORKLOADS.map((workload) => (
              <option key={workload} value={workload}>
                {workload}
              </option>
            ))}
          </SelectField>
          <Word label="Team" field="team" words={offers.words.teams} {...{ draft, errors, onChange }} />
          <Word label="Project" field="project" words={offers.words.projects} {...{ draft, errors, onChange }} />
          <Word label="Owner" field="owner" words={offers.words.owners} {...{ draft, errors, onChange }} />
          <Word
            label="Environment"
            field="environment"
            words={offers.words.environments}
            {...{ draft, errors, onChange }}
          />
          <Word
            label="Cost centre"
            field="costCenter"
            words={offers.words.costCenters}
            {...{ draft, errors, onChange }}
          />
        </div>
      </Panel>
    </>
  );
}

type WordProps = Pick<Props, "draft" | "errors" | "onChange"> & {
  label: string;
  field: "team" | "project" | "owner" | "environment" | "costCenter";
  words: readonly string[];
};

/** Free text with the words that are in use already. */
function Word({ label, field, words, draft, errors, onChange }: WordProps) {
  const list = useId();
  return (
    <>
      <TextField
        label={label}
        list={list}
        value={draft[field]}
        maxLength={64}
        error={errors[field]}
        onChange={(event) => onChange({ [field]: event.target.value })}
      />
      <datalist id={list}>
        {words.map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
    </>
  );
}
