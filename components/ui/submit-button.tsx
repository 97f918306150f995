"use client";

import type { ComponentProps } from "react";
import { useFormStatus } from "react-dom";
import { Button } from "./button";

/** The button of a form with a server action: pending as long as its form is. */
export function SubmitButton(props: ComponentProps<typeof Button>) {
  const { pending } = useFormStatus();
  return <Button look="primary" {...props} type="submit" isPending={pending || props.isPending} />;
}
