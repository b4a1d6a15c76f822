//! The types and classes of documents.

use crate::members::words::words;

words! {
    pub enum DocumentType {
        Other = "OTHER",
        AdmissionLetter = "ADMISSION_TCI_LETTER",
        AlertNotification = "ALERT_NOTIFICATION",
        AppointmentLetter = "APPOINTMENT_LETTER",
        BirthReport = "BIRTH_REPORT",
        ClinicLetter = "CLINIC_LETTER",
        DischargeLetter = "DISCHARGE_LETTER",
        DischargeSummary = "DISCHARGE_SUMMARY",
        TeamMeetingNotes = "MULTI_DISCIPLINARY_TEAM_MEETING_NOTES",
        ReferralLetter = "REFERRAL_LETTER",
    }
}

words! {
    pub enum DocumentClass {
        Other = "OTHER",
        InPatient = "IN_PATIENT",
        OutPatient = "OUT_PATIENT",
        Ambulatory = "AMBULATORY",
        Emergency = "EMERGENCY",
        Home = "HOME",
        Field = "FIELD",
        Daytime = "DAYTIME",
        Virtual = "VIRTUAL",
    }
}
