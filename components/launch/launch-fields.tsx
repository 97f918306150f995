import { SelectField, TextAreaField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { formatStorage } from "@/lib/domain/format";
import { imagesFor, type LaunchOffers, type Offer } from "@/lib/domain/intents/offers";
import { ownDataProblem, ownDataType } from "@/lib/domain/intents/own-data";
import type { Draft } from "./draft";

type Props = {
  offers: LaunchOffers;
  offer: Offer | undefined;
  draft: Draft;
  errors: Record<string, string>;
  onChange: (part: Partial<Draft>) => void;
};

/** Where it runs, what is on it, and who reaches it. */
export function LaunchFields({ offers, offer, draft, errors, onChange }: Props) {
  const regions = offer?.regions ?? [];
  const others = offers.regions.filter(({ name }) => !regions.some((region) => region.name === name));
  const filesystems = offers.filesystems.filter(({ region }) => region === draft.region);
  return (
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
      <OwnData draft={draft} error={errors.userData} onChange={onChange} />
    </Panel>
  );
}

function OwnData({ draft, error, onChange }: Pick<Props, "draft" | "onChange"> & { error: string | undefined }) {
  const type = ownDataType(draft.userData);
  return (
    <details className="pt-3" open={draft.userData !== "" || undefined}>
      <summary className="link">Start-up data of your own</summary>
      <div className="pt-2">
        <TextAreaField
          label="Script or cloud-config"
          rows={6}
          spellCheck={false}
          className="mono"
          value={draft.userData}
          error={error ?? ownDataProblem(draft.userData)}
          hint={
            type === null
              ? "Begins with #!/bin/bash or #cloud-config. It runs once, after the agent's part, and is kept sealed here."
              : `Read as ${type.words}. It runs once, after the agent's part, and is kept sealed here.`
          }
          onChange={(event) => onChange({ userData: event.target.value })}
        />
      </div>
    </details>
  );
}
