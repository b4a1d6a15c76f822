//! Pages as a browser sees them: their forms and hidden fields, found in the HTML.

use super::reply::Reply;

/// One HTML page.
#[derive(Clone, Debug)]
pub struct Page {
    pub html: String,
}

/// One form of a page.
#[derive(Clone, Debug)]
pub struct Form {
    pub action: String,
    pub sealed: String,
}

impl Page {
    pub fn of(reply: &Reply) -> Self {
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"), "{}", reply.text());
        Self { html: reply.text() }
    }

    /// The page's forms, each with its sealed value.
    pub fn forms(&self) -> Vec<Form> {
        let form = |html: &str| {
            let inside = html.split("</form>").next().unwrap();
            Form { action: attribute(inside, "action="), sealed: attribute(inside, "name=\"form\" value=") }
        };
        // A form that only asks for another page has no sealed value.
        let posted = |html: &&str| html.split('>').next().is_some_and(|tag| tag.contains("method=\"post\""));
        self.html.split("<form").skip(1).filter(posted).map(form).collect()
    }

    /// The one link that leads to `word`, if there is one.
    pub fn link(&self, word: &str) -> Option<String> {
        let mut found = self.html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let link = found.find(|href| href.contains(word))?.to_owned();
        assert!(!found.any(|href| href.contains(word)), "several links with {word}");
        Some(link)
    }

    /// The value of a hidden field.
    pub fn hidden(&self, name: &str) -> String {
        attribute(&self.html, &format!("name=\"{name}\" value="))
    }

    /// The one form whose action is `word`, or else contains it.
    pub fn form(&self, word: &str) -> Form {
        let mut forms = self.forms();
        if let Some(exact) = forms.iter().position(|form| form.action == word) {
            return forms.swap_remove(exact);
        }
        let mut found = forms.into_iter().filter(|form| form.action.contains(word));
        let form = found.next().unwrap_or_else(|| panic!("no form with {word} in its action: {}", self.html));
        assert!(found.next().is_none(), "several forms with {word} in their action");
        form
    }

    /// The sealed value of a page's forms that have this action: the same in each of them.
    pub fn form_of(&self, action: &str) -> String {
        let forms = self.forms();
        let found = forms.iter().find(|form| form.action == action);
        found.unwrap_or_else(|| panic!("no form with {action} as its action: {}", self.html)).sealed.clone()
    }

    /// The authorization page's hidden field.
    pub fn hidden_form(&self) -> &str {
        let (_, after) = self.html.split_once("name=\"form\" value=\"").expect("a hidden field");
        after.split('"').next().unwrap()
    }

    /// Where the authorization page's form is sent.
    pub fn action(&self) -> &str {
        assert!(self.html.contains("action=\"/apiAuthorize.action\""), "{}", self.html);
        "/apiAuthorize.action"
    }

    /// The refresh token that a coordinator is shown.
    pub fn refresh_token(&self) -> Option<&str> {
        let (_, after) = self.html.split_once("<output id=\"refresh-token\">")?;
        after.split('<').next()
    }
}

impl Reply {
    pub fn page(&self) -> Page {
        Page::of(self)
    }
}

fn attribute(html: &str, before: &str) -> String {
    let (_, after) = html.split_once(before).unwrap_or_else(|| panic!("no {before} in {html}"));
    after.trim_start_matches('"').split('"').next().unwrap().to_owned()
}
